/**
 * Sites that wait for what the DNS says about their hosts. A record stays here, in a queue or with its question, until its
 * answer is acted upon, so that a checkpoint in between keeps it.
 *
 * What is asked for next: sites that were found before and whose addresses are old; then new sites and such as failed and
 * are due again, in turn. Those that fail again and again have a share of the look-ups, so that names whose servers are
 * silent do not hold up others. During an outage of the name servers (`resolver-health.ts`) new sites wait.
 */
import { hostText } from '../model/canonical-url-bytes.js';
import type { Clock } from '../model/clock.js';
import {
  isAddressDead,
  RECORD_HEADER,
  type RecordVisitor,
  recordType,
  SITE_ADDRESS,
} from '../model/record.js';
import type { SpillQueue } from '../spill/spill-queue.js';
import type { NameRetries } from './name-retries.js';
import { ResolverHealth } from './resolver-health.js';

/** Finds out whether hosts exist, and where: by the DNS, or by asking an emulated web. */
export interface SiteNames {
  /**
   * Calls back at once or later with an address ('' if none is needed) and why the site is refused ('' if it is not).
   * REQUIRES: `canTake`.
   */
  resolve(host: string, done: (address: string, failure: string) => void): void;
  /** Is there any answer for names below this host? */
  probe(host: string, done: (isAnswered: boolean) => void): void;
  /** What is known of a host no longer holds. */
  forget(host: string): void;
  readonly canTake: boolean;
  /** The same for sites that were never found: some room is kept for those that were. */
  readonly canTakeNew: boolean;
  close(): void;
}

export interface NameQuestionsParts {
  readonly names: SiteNames;
  /** Unique sites that wait for the DNS check and an agent: the paper's Site URL List. */
  readonly siteUrlList: SpillQueue;
  /** Known sites whose address is asked for again. */
  readonly addressList: SpillQueue;
  readonly waiting: NameRetries;
  /** How often a name is asked for again. */
  readonly retries: number;
  readonly clock: Clock;
  readonly say: (message: string) => void;
  /** Called when there is something to do. */
  readonly wake: () => void;
}

interface NameAnswer {
  readonly record: Uint8Array;
  readonly address: string;
  readonly failure: string;
}

/** The failure that may pass. */
const FAILED = 'DNS_FAILED';
/** Look-ups for names that failed before, at most. */
const MOST_TRIED_AGAIN = 25;
/** New sites asked for each time that it is tried whether an outage is over. */
const PROBES = 8;

export class NameQuestions {
  readonly #parts: NameQuestionsParts;
  readonly #health: ResolverHealth;
  readonly #open = new Set<Uint8Array>();
  #answers: NameAnswer[] = [];
  #triedAgain = 0;
  #isNewNext = true;

  constructor(parts: NameQuestionsParts) {
    this.#parts = parts;
    this.#health = new ResolverHealth({ ...parts, probe: (host, done) => parts.names.probe(host, done) });
  }

  /** Records whose answers were not acted upon yet. */
  get count(): number {
    return this.#open.size + this.#parts.addressList.count + this.#newCount;
  }

  /** Is there something to ask for now, or to act upon? */
  get hasWork(): boolean {
    if (this.#answers.length > 0) return true;
    const { addressList, names } = this.#parts;
    if (addressList.count > 0 && names.canTake) return true;
    return this.delay === 0;
  }

  /** Milliseconds until there is something new to ask for; Infinity until something else happens. */
  get delay(): number {
    const { names, siteUrlList, waiting } = this.#parts;
    if (!names.canTakeNew || this.#newCount === 0) return Number.POSITIVE_INFINITY;
    if (this.#health.isOut) return this.#health.delay;
    if (siteUrlList.count > 0) return 0;
    return this.#triedAgain < MOST_TRIED_AGAIN ? waiting.delay : Number.POSITIVE_INFINITY;
  }

  /** Takes a copy of a record that asks for its host. */
  add(bytes: Uint8Array, start: number, end: number): void {
    const { addressList, siteUrlList } = this.#parts;
    (recordType(bytes, start) === SITE_ADDRESS ? addressList : siteUrlList).push(bytes, start, end);
  }

  /** Asks for so many at most. */
  askSome(most: number): void {
    const { addressList, names } = this.#parts;
    let left = most;
    for (; left > 0 && names.canTake && addressList.take(); left--)
      this.#ask(addressList.bytes, addressList.start, addressList.end, 0);
    if (this.#health.isOut) this.#askDuringOutage();
    else while (left > 0 && names.canTakeNew && this.#askNext()) left--;
  }

  /** Acts upon every answer that came. */
  answer(act: (record: Uint8Array, address: string, failure: string) => void): void {
    for (const { record, address, failure } of this.#answers) {
      act(record, address, failure);
      this.#open.delete(record);
    }
    this.#answers = [];
  }

  /** Visits every record: how often its name was asked for is not kept. */
  forEach(visit: RecordVisitor): void {
    const { addressList, siteUrlList, waiting } = this.#parts;
    for (const record of this.#open) visit(record, 0, record.length);
    addressList.forEach(visit);
    siteUrlList.forEach(visit);
    waiting.forEach(visit);
  }

  close(): void {
    const { addressList, names, siteUrlList, waiting } = this.#parts;
    names.close();
    addressList.close();
    siteUrlList.close();
    waiting.close();
  }

  get #newCount(): number {
    return this.#parts.siteUrlList.count + this.#parts.waiting.count;
  }

  /** A new site, or one that is due again; false if there is none of either. */
  #askNext(): boolean {
    this.#isNewNext = !this.#isNewNext;
    return this.#isNewNext ? this.#askNew() || this.#askAgain() : this.#askAgain() || this.#askNew();
  }

  #askNew(): boolean {
    const { siteUrlList } = this.#parts;
    if (!siteUrlList.take()) return false;
    this.#ask(siteUrlList.bytes, siteUrlList.start, siteUrlList.end, 0);
    return true;
  }

  #askAgain(): boolean {
    const { waiting } = this.#parts;
    if (waiting.count === 0 || this.#triedAgain >= MOST_TRIED_AGAIN || waiting.delay > 0) return false;
    return this.#takeWaiting();
  }

  #takeWaiting(): boolean {
    const { waiting } = this.#parts;
    if (!waiting.take()) return false;
    this.#ask(waiting.bytes, waiting.start, waiting.end, waiting.tries);
    return true;
  }

  #askDuringOutage(): void {
    if (this.delay > 0) return;
    this.#health.takeProbe();
    for (let i = 0; i < PROBES && this.#parts.names.canTakeNew; i++)
      if (!(i % 2 === 0 ? this.#askNew() || this.#takeWaiting() : this.#takeWaiting() || this.#askNew()))
        return;
  }

  #ask(bytes: Uint8Array, start: number, end: number, tries: number): void {
    const { names, wake } = this.#parts;
    const host = hostText(bytes, start + RECORD_HEADER);
    // The answer may come when the caller's bytes are gone.
    const record = bytes.slice(start, end);
    this.#open.add(record);
    if (tries > 0) this.#triedAgain++;
    if (recordType(record, 0) === SITE_ADDRESS && isAddressDead(record, 0)) names.forget(host);
    let isKnown = true;
    names.resolve(host, (address, failure) => {
      if (tries > 0) this.#triedAgain--;
      if (!isKnown) this.#note(host, address, failure);
      if (failure !== FAILED || !this.#askLater(record, tries))
        this.#answers.push({ record, address, failure });
      wake();
    });
    isKnown = false;
  }

  #note(host: string, address: string, failure: string): void {
    if (failure === FAILED) this.#health.noteFailure();
    else this.#health.noteAnswer(host, address !== '');
  }

  /** False if there is no use in asking for the host once more. */
  #askLater(record: Uint8Array, tries: number): boolean {
    // Known sites go on with the address they had.
    if (recordType(record, 0) === SITE_ADDRESS) return false;
    const { retries, waiting } = this.#parts;
    // During an outage it is not the name's fault, if there ever was an answer.
    const isBlamed = !this.#health.isOut || !this.#health.hasWitnesses;
    if (isBlamed && tries === retries) return false;
    waiting.add(record, isBlamed ? tries + 1 : tries);
    this.#open.delete(record);
    return true;
  }
}
