/**
 * What the check of a site's existence leads to: it is given to an agent, or refused, and every agent is told. Whoever
 * asked where a site is now gets the answer.
 */
import { assert } from '../model/assert.js';
import {
  MAX_RECORD,
  PAGE_URL,
  RECORD_HEADER,
  recordAsker,
  recordDepth,
  recordKeyHigh,
  recordKeyLow,
  recordSiteHigh,
  recordSiteLow,
  recordType,
  recordUrlEnd,
  SITE_ADDRESS,
  SITE_OWNER,
  SITE_URL,
  SITE_VISIT,
  setDepths,
  setOwner,
  writeAddress,
  writeHeader,
} from '../model/record.js';
import { writeRootRecord } from '../model/root-record.js';
import type { Assignment } from '../partition/assignment.js';
import { NOBODY, type SiteTableWriter, UNKNOWN } from '../partition/site-table.js';
import type { MeshEnd } from '../ring/mesh.js';
import { writeAddressAnswer } from '../visit/address-asker.js';

export interface SiteAssignerParts {
  readonly agents: number;
  readonly assignment: Assignment;
  readonly mesh: MeshEnd;
  readonly siteTable: SiteTableWriter;
  /** A site was refused; `url[start, end)` is its root page, or another page of it. */
  readonly onRefused: (url: Uint8Array, start: number, end: number, reason: string) => void;
}

/** What a checkpoint keeps of it. */
export interface AssignedSites {
  readonly sites: number;
  readonly refusedSites: Readonly<Record<string, number>>;
  readonly assignment: number;
}

export class SiteAssigner {
  readonly #parts: SiteAssignerParts;
  readonly #record = new Uint8Array(MAX_RECORD + 1);
  readonly #key = new Uint32Array(2);
  #nextAgent = 0;
  /** Sites that got an owner since the agents were last told. */
  #newOwners = 0;
  /** Sites assigned, and sites refused by reason. */
  sites = 0;
  readonly refusedSites: Record<string, number> = {};

  constructor(parts: SiteAssignerParts) {
    this.#parts = parts;
  }

  get state(): AssignedSites {
    return {
      sites: this.sites,
      refusedSites: this.refusedSites,
      assignment: this.#parts.assignment.state,
    };
  }

  restore(state: AssignedSites): void {
    assert(this.sites === 0, 'a coordinator that goes on from a checkpoint has not begun');
    this.sites = state.sites;
    Object.assign(this.refusedSites, state.refusedSites);
    this.#parts.assignment.restore(state.assignment);
  }

  /** The site of a record is at `address`, or nowhere because of `failure`. */
  readonly onAnswer = (record: Uint8Array, address: string, failure: string): void => {
    if (recordType(record, 0) === SITE_ADDRESS) {
      const end = writeAddressAnswer(this.#record, record, address, failure);
      this.#parts.mesh.send(recordAsker(record, 0), this.#record, 0, end);
      return;
    }
    if (failure === '') this.#assign(record, address);
    else this.#refuse(record, failure);
    this.#newOwners++;
  };

  /** Wakes the agents if sites got an owner. */
  announce(): void {
    if (this.#newOwners === 0) return;
    this.#newOwners = 0;
    this.#parts.siteTable.announce();
    this.#parts.mesh.wakeAll();
  }

  /** A seed of a site that is known already: to its agent, or to any agent, which finds out. */
  forwardSeed(bytes: Uint8Array, start: number, end: number): void {
    const { agents, mesh, siteTable } = this.#parts;
    const owner = siteTable.ownerOf(recordSiteLow(bytes, start), recordSiteHigh(bytes, start));
    if (owner === NOBODY) {
      this.#parts.onRefused(bytes, start + RECORD_HEADER, recordUrlEnd(bytes, start, end), 'SITE_REFUSED');
      return;
    }
    if (owner === UNKNOWN) this.#nextAgent = (this.#nextAgent + 1) % agents;
    mesh.send(owner === UNKNOWN ? this.#nextAgent : owner, bytes, start, end);
  }

  /** REQUIRES: a SITE_URL record or a seed's PAGE_URL record, the first of its site. */
  #assign(record: Uint8Array, address: string): void {
    const { agents, assignment, mesh } = this.#parts;
    const type = recordType(record, 0);
    assert(type === SITE_URL || type === PAGE_URL, 'a site is assigned by the record of one of its URLs');
    const siteLow = recordSiteLow(record, 0);
    const siteHigh = recordSiteHigh(record, 0);
    const owner = assignment.assign(siteLow, siteHigh);
    assert(owner >= 0 && owner < agents, 'a site is assigned to an agent');
    this.#publish(siteLow, siteHigh, owner);
    this.sites++;
    const urlEnd = recordUrlEnd(record, 0, record.length);
    const visit = this.#record;
    const rootEnd = writeRootRecord(
      visit,
      SITE_VISIT,
      siteLow,
      siteHigh,
      record,
      RECORD_HEADER,
      urlEnd,
      this.#key,
    );
    const isSeed = type === PAGE_URL;
    const isRoot = recordKeyLow(record, 0) === this.#key[0] && recordKeyHigh(record, 0) === this.#key[1];
    // A seed's own root page is a seed; that of another page's site is a hop away from it.
    setDepths(visit, 0, isSeed ? (isRoot ? 0 : 1) : recordDepth(record, 0), 0);
    mesh.send(owner, visit, 0, writeAddress(visit, 0, rootEnd, address));
    if (isSeed && !isRoot) mesh.send(owner, record, 0, record.length);
  }

  #refuse(record: Uint8Array, reason: string): void {
    this.#publish(recordSiteLow(record, 0), recordSiteHigh(record, 0), NOBODY);
    this.refusedSites[reason] = (this.refusedSites[reason] ?? 0) + 1;
    this.#parts.onRefused(record, RECORD_HEADER, recordUrlEnd(record, 0, record.length), reason);
  }

  /** In the table where every agent sees it, or by a record to each if the table is full. */
  #publish(siteLow: number, siteHigh: number, owner: number): void {
    const { agents, mesh, siteTable } = this.#parts;
    if (siteTable.tryPublish(siteLow, siteHigh, owner)) return;
    writeHeader(this.#record, 0, SITE_OWNER, siteLow, siteHigh, 0, 0);
    setOwner(this.#record, 0, owner);
    for (let agent = 0; agent < agents; agent++) mesh.send(agent, this.#record, 0, RECORD_HEADER);
  }
}
