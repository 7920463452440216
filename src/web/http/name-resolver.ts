/**
 * Finds the address of a host for the coordinator (FC2L-UDCbot's DNS resolver module): one that may be connected to,
 * or the reason why there is none. The fetchers use that address as it is, so what was vetted is what is
 * connected to.
 *
 * Names are asked of the DNS alone, which tells how long an answer holds and keeps no thread busy. `localhost` is
 * answered as RFC 6761 says. The hosts file of the machine has no say about the public Web; only where private
 * addresses are allowed a name that the DNS does not give is looked up the machine's own way.
 */
import { lookup as lookupOfSystem, Resolver } from 'node:dns';
import type { Clock } from '../../model/clock.js';
import { isPublicAddress, literalAddress } from './address.js';
import { type NameAnswer, NameCache } from './name-cache.js';

export interface NameRecord {
  readonly address: string;
  /** Seconds that the answer holds. */
  readonly ttl: number;
}

/** Asks for the addresses of one family; the code is '' or one of node:dns. */
export type LookUp = (
  host: string,
  family: 4 | 6,
  done: (code: string, records: readonly NameRecord[]) => void,
) => void;

export type ResolveCallback = (address: string, failure: string) => void;

export interface NameResolverOptions {
  readonly allowPrivate: boolean;
  /** Bound of the cache. */
  readonly memoryBytes: number;
  readonly clock: Clock;
  /** Name servers, `address` or `address:port`; those of the machine otherwise. */
  readonly servers?: readonly string[] | undefined;
  readonly lookup?: LookUp;
  /** Milliseconds before each further try. */
  readonly retryDelays?: readonly number[];
}

const MOST_LOOKUPS = 100;
/** Hosts taken on at most, with those that wait for a look-up or for their next try. */
const MOST_TAKEN = 1000;
const SECOND = 1000;
const SHORTEST = 60 * SECOND;
const LONGEST = 86_400 * SECOND;
/** A name that is not there may be there soon; a server that fails even sooner. */
const NOT_FOUND_LIFETIME = 300 * SECOND;
const FAILED_LIFETIME = 60 * SECOND;
const RETRY_DELAYS = [SECOND, 5 * SECOND];
const QUERY = { timeout: 3000, tries: 2 };
const HAS_NO_RECORDS = new Set(['ENODATA', 'ENOTFOUND', 'EBADNAME']);

/** A host under way. */
interface Question {
  readonly host: string;
  readonly callbacks: ResolveCallback[];
  tries: number;
  /** An answer that may not be used was among those that came. */
  sawPrivate: boolean;
}

export class NameResolver {
  readonly #allowPrivate: boolean;
  readonly #cache: NameCache;
  readonly #lookup: LookUp;
  readonly #cancel: () => void;
  readonly #retryDelays: readonly number[];
  readonly #questions = new Map<string, Question>();
  /** Wait for a look-up, from `#next` on. */
  #waiting: Question[] = [];
  #next = 0;
  #lookups = 0;
  readonly #timers = new Set<NodeJS.Timeout>();
  #isClosed = false;

  constructor(options: NameResolverOptions) {
    this.#allowPrivate = options.allowPrivate;
    this.#cache = new NameCache(options.memoryBytes, options.clock);
    const resolver = new Resolver(QUERY);
    if (options.servers !== undefined) resolver.setServers(options.servers);
    this.#lookup = options.lookup ?? dnsLookUp(resolver, options.allowPrivate);
    this.#cancel = () => resolver.cancel();
    this.#retryDelays = options.retryDelays ?? RETRY_DELAYS;
  }

  /** Hosts that have no answer yet. */
  get underWay(): number {
    return this.#questions.size;
  }

  get canTake(): boolean {
    return this.#questions.size < MOST_TAKEN;
  }

  /**
   * Calls back with an address, or with '' and DNS_NOT_FOUND, DNS_TIMEOUT, DNS_FAILED or PRIVATE_ADDRESS: at once if
   * the answer is known. REQUIRES: `canTake`.
   */
  resolve(host: string, done: ResolveCallback): void {
    const name = nameOf(host);
    const known = this.#withoutAsking(name) ?? this.#cache.get(name);
    if (known !== null) {
      done(known.address, known.failure);
      return;
    }
    const same = this.#questions.get(name);
    if (same !== undefined) {
      same.callbacks.push(done);
      return;
    }
    const question = { host: name, callbacks: [done], tries: 0, sawPrivate: false };
    this.#questions.set(name, question);
    this.#waiting.push(question);
    this.#askNext();
  }

  /** The answer that is known leads nowhere: the next question goes to the DNS. */
  forget(host: string): void {
    this.#cache.delete(nameOf(host));
  }

  /** Ends everything under way without calling back. */
  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#cancel();
  }

  /** The answer for a literal address and for this machine's own name; null for all else. */
  #withoutAsking(name: string): NameAnswer | null {
    const isLocal = name === 'localhost' || name.endsWith('.localhost');
    const address = isLocal ? '127.0.0.1' : literalAddress(name);
    if (address === '') return null;
    return this.#isAllowed(address) ? { address, failure: '' } : { address: '', failure: 'PRIVATE_ADDRESS' };
  }

  #isAllowed(address: string): boolean {
    return this.#allowPrivate ? literalAddress(address) !== '' : isPublicAddress(address);
  }

  #askNext(): void {
    while (this.#lookups < MOST_LOOKUPS && this.#next < this.#waiting.length) {
      const question = this.#waiting[this.#next++]!;
      if (2 * this.#next > this.#waiting.length) {
        this.#waiting = this.#waiting.slice(this.#next);
        this.#next = 0;
      }
      this.#lookups++;
      question.tries++;
      question.sawPrivate = false;
      this.#ask(question, 4);
    }
  }

  /** IPv4 first: more of the Web and more of the crawlers' networks have it. IPv6 is asked only where that gave nothing. */
  #ask(question: Question, family: 4 | 6): void {
    this.#lookup(question.host, family, (code, records) => {
      if (this.#isClosed) return;
      const first = records.find(({ address }) => this.#isAllowed(address));
      if (first !== undefined) {
        this.#answer(question, { address: first.address, failure: '' }, lifetimeOf(records));
        return;
      }
      if (records.length > 0) question.sawPrivate = true;
      // ENOTFOUND would say that the name itself does not exist, so that no other family can have it.
      if (family === 4 && (code === '' || code === 'ENODATA')) this.#ask(question, 6);
      else if (question.sawPrivate)
        this.#answer(question, { address: '', failure: 'PRIVATE_ADDRESS' }, SHORTEST);
      else if (code === '' || HAS_NO_RECORDS.has(code))
        this.#answer(question, { address: '', failure: 'DNS_NOT_FOUND' }, NOT_FOUND_LIFETIME);
      else this.#tryAgain(question, code);
    });
  }

  #tryAgain(question: Question, code: string): void {
    const delay = this.#retryDelays[question.tries - 1];
    if (delay === undefined) {
      const failure = code === 'ETIMEOUT' ? 'DNS_TIMEOUT' : 'DNS_FAILED';
      this.#answer(question, { address: '', failure }, FAILED_LIFETIME);
      return;
    }
    // Others are looked up meanwhile.
    this.#lookups--;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#waiting.push(question);
      this.#askNext();
    }, delay);
    this.#timers.add(timer);
    this.#askNext();
  }

  #answer(question: Question, answer: NameAnswer, lifetime: number): void {
    this.#lookups--;
    this.#questions.delete(question.host);
    this.#cache.set(question.host, answer, lifetime);
    for (const done of question.callbacks) done(answer.address, answer.failure);
    this.#askNext();
  }
}

/** One spelling for all that mean the same host. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}

function lifetimeOf(records: readonly NameRecord[]): number {
  let seconds = Number.POSITIVE_INFINITY;
  for (const { ttl } of records) seconds = Math.min(seconds, ttl);
  return Math.min(LONGEST, Math.max(SHORTEST, seconds * SECOND));
}

function dnsLookUp(resolver: Resolver, asksSystem: boolean): LookUp {
  return (host, family, done) => {
    const answer = (error: NodeJS.ErrnoException | null, records?: NameRecord[]): void => {
      if (error === null) done('', records!);
      else if (asksSystem) askSystem(host, family, error.code ?? 'EFAIL', done);
      else done(error.code ?? 'EFAIL', []);
    };
    if (family === 4) resolver.resolve4(host, { ttl: true }, answer);
    else resolver.resolve6(host, { ttl: true }, answer);
  };
}

function askSystem(host: string, family: 4 | 6, code: string, done: Parameters<LookUp>[2]): void {
  lookupOfSystem(host, { family, all: true }, (error, records) => {
    const found = error === null ? records : [];
    done(
      found.length > 0 ? '' : code,
      found.map(({ address }) => ({ address, ttl: 0 })),
    );
  });
}
