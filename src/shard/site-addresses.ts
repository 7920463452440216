/**
 * Where the sites of a frontier are: the address that the coordinator vetted for each, or why it has none any more.
 * IPv4 addresses are numbers; all else is kept as text, which is rare.
 */
import type { Clock } from '../model/clock.js';
import type { SiteStates } from './site-states.js';

/** Seconds that an address is used for before it is asked for again; how long it holds is the coordinator's to know. */
const LIFETIME = 600;

export class SiteAddresses {
  readonly #states: SiteStates;
  readonly #clock: Clock;
  readonly #start: number;
  /** Addresses vetted until then are old: the crawl rested since, for who knows how long. */
  readonly #resumedAt: number;

  /** `elapsed` is how long the crawl took before it was resumed, in ms; 0 if it was not. */
  constructor(states: SiteStates, clock: Clock, elapsed: number) {
    this.#states = states;
    this.#clock = clock;
    this.#start = clock();
    this.#resumedAt = elapsed === 0 ? 0 : Math.ceil(elapsed / 1000) + 1;
  }

  has(site: number): boolean {
    return this.#states.address[site] !== 0 || this.#states.longAddresses.has(site);
  }

  get(site: number): string {
    const number = this.#states.address[site]!;
    if (number === 0) return this.#states.longAddresses.get(site) ?? '';
    return `${number >>> 24}.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}`;
  }

  set(site: number, address: string): void {
    const { address: numbers, longAddresses, vetted } = this.#states;
    numbers[site] = parseAddress(address);
    longAddresses.delete(site);
    if (numbers[site] === 0 && address !== '') longAddresses.set(site, address);
    vetted[site] = this.#now();
  }

  forget(site: number): void {
    this.#states.address[site] = 0;
    this.#states.longAddresses.delete(site);
  }

  isOld(site: number): boolean {
    return this.#states.vetted[site]! <= Math.max(this.#resumedAt, this.#now() - LIFETIME);
  }

  /** Nobody answers there: it is old from now on. */
  doubt(site: number): void {
    this.#states.vetted[site] = 0;
  }

  isDoubted(site: number): boolean {
    return this.#states.vetted[site] === 0;
  }

  /** Seconds of crawling, from 1. */
  #now(): number {
    return this.#resumedAt + 1 + Math.floor((this.#clock() - this.#start) / 1000);
  }
}

/** An IPv4 address as a number; 0 for anything else. */
function parseAddress(address: string): number {
  const parts = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  if (parts === null) return 0;
  const [, a, b, c, d] = parts.map(Number);
  return ((a! << 24) | (b! << 16) | (c! << 8) | d!) >>> 0;
}
