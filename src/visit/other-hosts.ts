/**
 * Where hosts of other sites are that robots.txt was redirected to. The coordinator tells, as it does for the agent's own
 * sites: it alone looks names up, and vets addresses. What it said is kept for as long as a site's own address is.
 */
import type { Clock } from '../model/clock.js';
import type { AddressAsker } from './address-asker.js';

const KEPT_MS = 600e3;
/** After so long an answer is not waited for any more. */
const PATIENCE_MS = 120e3;
const MOST = 4096;
/** It could not be found out where a host is; asked once more, the coordinator may know. */
export const NO_ANSWER = 'DNS_TIMEOUT';

interface KnownHost {
  /** Null as long as the answer did not come. */
  address: string | null;
  since: number;
}

export class OtherHosts {
  readonly #asker: AddressAsker | null;
  readonly #clock: Clock;
  /** By the key of their sites; the one that was asked about first comes first. */
  readonly #hosts = new Map<string, KnownHost>();

  /** Without `asker` no host has an address. */
  constructor(asker: AddressAsker | null, clock: Clock) {
    this.#asker = asker;
    this.#clock = clock;
  }

  /** The address of a URL's host, or why it has none; null: the coordinator was asked. `low` and `high` are its site's key. */
  addressOf(low: number, high: number, url: Uint8Array): string | null {
    if (this.#asker === null) return '';
    const now = this.#clock();
    const name = nameOf(low, high);
    const known = this.#hosts.get(name);
    if (known !== undefined) {
      const { address, since } = known;
      if (now - since < (address === null ? PATIENCE_MS : KEPT_MS) && address !== NO_ANSWER) return address;
      this.#hosts.delete(name);
      if (address === null || address === NO_ANSWER) return NO_ANSWER;
    }
    if (this.#hosts.size === MOST) this.#hosts.delete(this.#hosts.keys().next().value!);
    this.#hosts.set(name, { address: null, since: now });
    this.#asker.ask(low, high, url);
    return null;
  }

  /** The coordinator answered; false if nobody here had asked. */
  learn(low: number, high: number, address: string): boolean {
    const known = this.#hosts.get(nameOf(low, high));
    if (known === undefined || known.address !== null) return false;
    known.address = address === '' ? NO_ANSWER : address;
    known.since = this.#clock();
    return true;
  }
}

const nameOf = (low: number, high: number): string => `${low >>> 0} ${high >>> 0}`;
