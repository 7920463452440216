/**
 * Where is a site now? The coordinator told its agent once; a crawl takes days, and hosts move. An agent asks again when
 * an address is old or nobody answers there, and the site rests until the answer comes. The coordinator answers from what
 * it knows as long as the DNS said that it holds; a dead address it looks up anew.
 */

import type { RecordVisitor } from '../model/record.js';
import {
  MAX_RECORD,
  RECORD_HEADER,
  recordAddress,
  recordSiteHigh,
  recordSiteLow,
  recordUrlEnd,
  SITE_ADDRESS,
  setAsker,
  writeAddress,
} from '../model/record.js';
import { writeRootRecord } from '../model/root-record.js';
import type { SiteAddresses } from '../shard/site-addresses.js';
import type { Visit } from './visit.js';

export class AddressAsker {
  readonly #agent: number;
  readonly #send: RecordVisitor;
  readonly #record = new Uint8Array(MAX_RECORD + 1);
  readonly #key = new Uint32Array(2);

  /** `send` takes records for the coordinator. */
  constructor(agent: number, send: RecordVisitor) {
    this.#agent = agent;
    this.#send = send;
  }

  /** Asks if the visit's address is old; then the site has none until the answer comes, and the visit is over. */
  mustWait({ address, record, site, urlEnd }: Visit, addresses: SiteAddresses): boolean {
    if (!addresses.isOld(site)) return false;
    const asked = this.#record;
    const low = recordSiteLow(record, 0);
    const high = recordSiteHigh(record, 0);
    const end = writeRootRecord(asked, SITE_ADDRESS, low, high, record, RECORD_HEADER, urlEnd, this.#key);
    setAsker(asked, 0, this.#agent, addresses.isDoubted(site));
    addresses.forget(site);
    this.#send(asked, 0, writeAddress(asked, 0, end, address));
    return true;
  }

  /** Asks where the host of a URL is, whose site has this key and may be another agent's. */
  ask(low: number, high: number, url: Uint8Array): void {
    const asked = this.#record;
    const end = writeRootRecord(asked, SITE_ADDRESS, low, high, url, 0, url.length, this.#key);
    setAsker(asked, 0, this.#agent, false);
    this.#send(asked, 0, writeAddress(asked, 0, end, ''));
  }
}

/** What stands in place of an address where there is none any more is the code that says why. */
export const isRefusal = (address: string): boolean => address.includes('_');

/** Writes the answer to a SITE_ADDRESS record to `answer[0, length)`; returns the length. */
export function writeAddressAnswer(
  answer: Uint8Array,
  asked: Uint8Array,
  address: string,
  failure: string,
): number {
  answer.set(asked);
  // While the name servers do not answer, what was known holds.
  const told = failure === 'DNS_FAILED' ? recordAddress(asked, 0, asked.length) : address || failure;
  return writeAddress(answer, 0, recordUrlEnd(asked, 0, asked.length), told);
}
