/**
 * Reads fetched sitemaps (`src/parse/sitemap-reader.ts`), one at a time, and tells what stands in them. A sitemap's visit
 * is over when its body came: the body waits on disk, and its site's other URLs do not wait for it. Until it was read its
 * record stands in a list here, which a checkpoint keeps, as the frontier no longer has it.
 *
 * What sites that used little of their budget had fetched is read first. While there is something else to do, reading
 * takes a share of the thread's time.
 */
import { DrumlineError } from '../model/errors.js';
import { type RecordVisitor, recordSiteHigh, recordSiteLow } from '../model/record.js';
import type { FetchedPage } from '../model/web.js';
import type { World } from '../model/world.js';
import { MAX_SITEMAP_BYTES, MAX_SITEMAP_ENTRIES } from '../parse/sitemap-entries.js';
import { type SitemapLimits, SitemapReader, type SitemapSummary } from '../parse/sitemap-reader.js';
import type { Frontier } from '../shard/frontier.js';
import type { SitemapBodies } from './sitemap-bodies.js';
import type { SitemapBudget } from './sitemap-budget.js';
import type { FoundOn, Visit } from './visit.js';

/** With so many, or so many bytes, no more are fetched until some were read. */
const MOST_WAITING = 64;
const MOST_WAITING_BYTES = 256 << 20;
/** Reading takes this share of the time, if it is wanted for something else; and so many milliseconds at a time. */
const SHARE = 0.25;
const AT_A_TIME = 5;
const decoder = new TextDecoder();

/** When a sitemap may be fetched. */
export const NOW = 0;
export const LATER = 1;
/** Its site used its budget up. */
export const NEVER = 2;
export type SitemapTurn = typeof NOW | typeof LATER | typeof NEVER;

export interface SitemapVisitParts {
  readonly world: Pick<World, 'after' | 'clock'>;
  readonly bodies: SitemapBodies;
  readonly frontier: Frontier;
  readonly budget: SitemapBudget;
  /** A URL stands in the sitemap; `isSitemap`: it is one, too. */
  readonly onUrl: (sitemap: FoundOn, url: string, isSitemap: boolean) => void;
  /** Not all of a sitemap was read, for a reason with this code; URLs told before that stand. */
  readonly onProblem: (sitemap: FoundOn, code: string) => void;
  /** Is there something else to do? */
  readonly isBusy: () => boolean;
  /** Wakes the thread's loop: there is something to check. */
  readonly wake: () => void;
}

/** A sitemap that was fetched and not read yet. */
interface Waiting extends FoundOn {
  readonly body: number;
  readonly bytes: number;
  /** Of its site's budget, when it was fetched. */
  readonly used: number;
}

export class SitemapVisits {
  readonly #parts: SitemapVisitParts;
  /** The one that is read now among them. */
  readonly #waiting: Waiting[] = [];
  #bytes = 0;
  #isReading = false;
  /** Milliseconds of reading since others had their turn. */
  #worked = 0;
  #isClosed = false;
  #failure: { readonly error: unknown } | null = null;

  constructor(parts: SitemapVisitParts) {
    this.#parts = parts;
  }

  /** Sitemaps that were fetched and not read yet. */
  get count(): number {
    return this.#waiting.length;
  }

  /** May the visit's sitemap be fetched now, later, or never? Of one site one at a time waits to be read. */
  turnOf({ record, site }: Visit): SitemapTurn {
    if (this.#waiting.length >= MOST_WAITING || this.#bytes >= MOST_WAITING_BYTES) return LATER;
    const [low, high] = [recordSiteLow(record, 0), recordSiteHigh(record, 0)];
    for (const { record: other } of this.#waiting)
      if (recordSiteLow(other, 0) === low && recordSiteHigh(other, 0) === high) return LATER;
    return this.#parts.budget.allowsOneMore(this.#parts.frontier.notes.sitemapUse(site)) ? NOW : NEVER;
  }

  /** The visit's sitemap came: it is read later. */
  add({ record, length, urlEnd, site }: Visit, page: FetchedPage): void {
    const { bodies, frontier } = this.#parts;
    const bytes = page.bodyLength;
    const used = frontier.notes.sitemapUse(site);
    const kept = record.slice(0, length);
    this.#waiting.push({ record: kept, urlEnd, body: bodies.keep(page.body, bytes), bytes, used });
    this.#bytes += bytes;
    if (!this.#isReading) this.#readAll().catch(this.#keepFailure);
  }

  /** The records of all that were not read yet. */
  forEach(visit: RecordVisitor): void {
    for (const { record } of this.#waiting) visit(record, 0, record.length);
  }

  /** Puts what a checkpoint kept back into the frontier: it is fetched again. */
  readonly restore: RecordVisitor = (bytes, start, end) => {
    this.#parts.frontier.push(recordSiteLow(bytes, start), recordSiteHigh(bytes, start), bytes, start, end);
  };

  /** What reading failed of, as the disk, is the thread's own failure; it happened in nobody's turn. */
  throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  readonly #keepFailure = (error: unknown): void => {
    this.#failure = { error };
    this.#parts.wake();
  };

  close(): void {
    this.#isClosed = true;
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    while (this.#waiting.length > 0 && !this.#isClosed) {
      const next = this.#waiting.reduce((least, other) => (other.used < least.used ? other : least));
      await this.#read(next);
      if (this.#isClosed) return;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#bytes -= next.bytes;
      this.#parts.bodies.remove(next.body);
      this.#parts.wake();
    }
    this.#isReading = false;
  }

  async #read(sitemap: Waiting): Promise<void> {
    const { bodies, budget, frontier, onProblem, onUrl, world } = this.#parts;
    const low = recordSiteLow(sitemap.record, 0);
    const high = recordSiteHigh(sitemap.record, 0);
    const left = budget.left(sitemap.used);
    const limits = {
      entries: Math.min(MAX_SITEMAP_ENTRIES, left.entries),
      bytes: Math.min(MAX_SITEMAP_BYTES, left.bytes),
    };
    let entries = 0;
    let bytes = 0;
    const reader = new SitemapReader(
      {
        entry: (loc, length, _lastModified, isSitemap) => {
          entries++;
          if (!this.#isClosed) onUrl(sitemap, decoder.decode(loc.subarray(0, length)), isSitemap);
        },
      },
      limits,
    );
    let problem = '';
    try {
      let begunAt = world.clock();
      const summary = await reader.read(bodies.read(sitemap.body), async (pieceBytes) => {
        bytes += pieceBytes;
        await this.#afterPiece(world.clock() - begunAt);
        begunAt = world.clock();
      });
      if (isOverBudget(summary, limits)) problem = 'SITEMAPS_PER_SITE';
    } catch (error) {
      if (!(error instanceof DrumlineError) || error.disposition !== 'drop-url') throw error;
      problem = error.code;
    }
    if (this.#isClosed) return;
    frontier.notes.addSitemapUse(low, high, budget.cost(entries, bytes));
    if (problem !== '') onProblem(sitemap, problem);
  }

  /** What the reader waits for before it goes on; it does not when the crawl is over. */
  #afterPiece(ms: number): Promise<unknown> | null {
    if (this.#isClosed) throw new DrumlineError('CLOSED', 'the crawl is over', 'drop-url');
    this.#parts.wake();
    this.#worked += ms;
    if (this.#worked < AT_A_TIME) return null;
    const others = this.#parts.isBusy() ? this.#worked * (1 / SHARE - 1) : 0;
    this.#worked = 0;
    return new Promise<void>((goOn) => this.#parts.world.after(others, goOn));
  }
}

const isOverBudget = ({ dropped, entries, isCut }: SitemapSummary, limits: SitemapLimits): boolean =>
  (dropped > 0 && entries === limits.entries && entries < MAX_SITEMAP_ENTRIES) ||
  (isCut && limits.bytes < MAX_SITEMAP_BYTES);
