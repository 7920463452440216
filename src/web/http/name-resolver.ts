/**
 * Finds the address of a host for the coordinator (FC2L-UDCbot's DNS resolver module): one that may be connected to,
 * or the reason why there is none. The fetchers use that address as it is, so what was vetted is what is
 * connected to.
 *
 * Names are asked of the DNS alone, which tells how long an answer holds and keeps no thread busy. `localhost` is
 * answered as RFC 6761 says. The hosts file of the machine has no say about the public Web; only where private
 * addresses are allowed a name that the DNS does not give is looked up the machine's own way.
 *
 * Whoever asks has the answer of one look-up: to ask again when it failed is the caller's business, so nothing waits here.
 */

import { randomBytes } from 'node:crypto';
import { lookup as lookupOfSystem, Resolver } from 'node:dns';
import { assert } from '../../model/assert.js';
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
}

const MOST_LOOKUPS = 100;
/** Beside these: for hosts that have been found before, which must not wait for names that nobody answers for. */
const MORE_LOOKUPS = 28;
const SECOND = 1000;
const SHORTEST = 60 * SECOND;
const LONGEST = 86_400 * SECOND;
/** A name that is not there may be there soon. */
const NOT_FOUND_LIFETIME = 300 * SECOND;
const QUERY = { timeout: 3000, tries: 2 };
const HAS_NO_RECORDS = new Set(['ENODATA', 'ENOTFOUND', 'EBADNAME']);

/** A host under way. */
interface Question {
  readonly host: string;
  readonly callbacks: ResolveCallback[];
  /** An answer that may not be used was among those that came. */
  sawPrivate: boolean;
}

export class NameResolver {
  readonly #allowPrivate: boolean;
  readonly #cache: NameCache;
  readonly #lookup: LookUp;
  readonly #cancel: () => void;
  readonly #questions = new Map<string, Question>();
  #isClosed = false;

  constructor(options: NameResolverOptions) {
    this.#allowPrivate = options.allowPrivate;
    this.#cache = new NameCache(options.memoryBytes, options.clock);
    const resolver = new Resolver(QUERY);
    if (options.servers !== undefined) resolver.setServers(options.servers);
    this.#lookup = options.lookup ?? dnsLookUp(resolver, options.allowPrivate);
    this.#cancel = () => resolver.cancel();
  }

  /** Hosts that have no answer yet. */
  get underWay(): number {
    return this.#questions.size;
  }

  get canTake(): boolean {
    return this.#questions.size < MOST_LOOKUPS + MORE_LOOKUPS;
  }

  get canTakeNew(): boolean {
    return this.#questions.size < MOST_LOOKUPS;
  }

  /**
   * Calls back with an address, or with '' and DNS_NOT_FOUND, PRIVATE_ADDRESS, or DNS_FAILED, which may pass: at once if
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
    assert(this.canTake, 'a name is asked for when there is room for one more');
    const question = { host: name, callbacks: [done], sawPrivate: false };
    this.#questions.set(name, question);
    this.#ask(question, 4);
  }

  /**
   * Asks for a name below the host that nobody asked for before, so that no server on the way knows the answer: is there
   * any, even that it does not exist?
   */
  probe(host: string, done: (isAnswered: boolean) => void): void {
    this.#lookup(`${randomBytes(8).toString('hex')}.${nameOf(host)}`, 4, (code) => {
      if (!this.#isClosed) done(code === '' || HAS_NO_RECORDS.has(code));
    });
  }

  /** The answer that is known leads nowhere: the next question goes to the DNS. */
  forget(host: string): void {
    this.#cache.delete(nameOf(host));
  }

  /** Ends everything under way without calling back. */
  close(): void {
    this.#isClosed = true;
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
      else this.#end(question, { address: '', failure: 'DNS_FAILED' });
    });
  }

  #answer(question: Question, answer: NameAnswer, lifetime: number): void {
    this.#cache.set(question.host, answer, lifetime);
    this.#end(question, answer);
  }

  #end({ host, callbacks }: Question, { address, failure }: NameAnswer): void {
    this.#questions.delete(host);
    for (const done of callbacks) done(address, failure);
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
