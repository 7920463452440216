/**
 * Makes the bytes of a synthetic page: one copy of prepared filler, then the head, the links of the plan at
 * even distances, and the foot written over it. Nothing is allocated per page.
 */

import { CELL, MARKUP, ROTATIONS, type SyntheticFiller } from './synthetic-filler.js';
import { mix } from './synthetic-hash.js';
import { HrefWriter, LONGEST_LINK } from './synthetic-hrefs.js';
import type { LinkPlan } from './synthetic-links.js';
import { OVERSHOOT, putNumber, putPiece } from './synthetic-pieces.js';
import type { SyntheticSites } from './synthetic-sites.js';
import type { SyntheticSpec } from './synthetic-spec.js';
import type { SyntheticUrls } from './synthetic-urls.js';

const SIZE_SALT = 51;
const LOOK_SALT = 52;

export class PageMaker {
  /** The page made last is `body[0, bodyLength)`. */
  body = new Uint8Array(0);
  bodyLength = 0;
  #view = new DataView(this.body.buffer);
  readonly #size: number;
  readonly #sites: SyntheticSites;
  readonly #plan: LinkPlan;
  readonly #filler: SyntheticFiller;
  readonly #hrefs: HrefWriter;
  readonly #sizeSalt: number;
  readonly #lookSalt: number;

  constructor(
    spec: SyntheticSpec,
    sites: SyntheticSites,
    urls: SyntheticUrls,
    plan: LinkPlan,
    filler: SyntheticFiller,
  ) {
    this.#size = spec.size;
    this.#sites = sites;
    this.#plan = plan;
    this.#filler = filler;
    this.#hrefs = new HrefWriter(urls);
    this.#sizeSalt = mix(SIZE_SALT, spec.seed);
    this.#lookSalt = mix(LOOK_SALT, spec.seed);
  }

  /** From a quarter of the mean size to seven quarters; a page is longer if its links need the room. */
  #intendedSize(page: number): number {
    const draw = mix(this.#sizeSalt, page) / 0x1_0000_0000;
    return Math.floor(this.#size / 4 + draw * 1.5 * this.#size);
  }

  /** The length of a page, made only if its links might need more room than it has; its links are planned. */
  lengthOf(site: number, local: number): number {
    const size = this.#intendedSize(this.#sites.root(site) + local);
    this.#plan.plan(site, local);
    if (this.#mostBytes(size) > size) this.#write(site, local, size);
    else this.bodyLength = size;
    return this.bodyLength;
  }

  make(site: number, local: number): void {
    this.#plan.plan(site, local);
    this.#write(site, local, this.#intendedSize(this.#sites.root(site) + local));
  }

  #write(site: number, local: number, size: number): void {
    const page = this.#sites.root(site) + local;
    const filler = this.#filler;
    const head = filler.headFor(size);
    this.#reserve(Math.max(size, this.#mostBytes(size)));

    const look = mix(this.#lookSalt, page);
    const from = (look % ROTATIONS) * CELL;
    this.body.set(filler.cells.subarray(from, from + size), 0);
    this.body.set(head.bytes, 0);
    const digits = putNumber(page, this.#view, head.numberAt) - head.numberAt;
    this.body.fill(32, head.numberAt + digits, head.numberAt + 10);

    const lastCell = Math.floor((size - filler.foot.length) / CELL) * CELL;
    const linksEnd = this.#putLinks(site, local, look, head.bytes.length, lastCell);
    const end = this.#putText(Math.max(lastCell, linksEnd), size - filler.foot.length);
    this.bodyLength = putPiece(filler.foot, this.#view, end);
  }

  /** Writes the links from `start` on, spread over the cells before `lastCell`; returns where they end. */
  #putLinks(site: number, local: number, look: number, start: number, lastCell: number): number {
    const { count, navigation, sites, locals, ways } = this.#plan;
    const hrefs = this.#hrefs;
    const view = this.#view;
    hrefs.setBase(site, local);
    let at = start;
    for (let i = 0; i < navigation; i++) at = hrefs.putNavigation(sites[i]!, locals[i]!, ways[i]!, view, at);
    const first = at;
    const cells = Math.max(0, lastCell - first) / CELL;
    for (let i = navigation; i < count; i++) {
      const slot = Math.floor(first / CELL + ((i - navigation) * cells) / (count - navigation)) * CELL;
      if (slot > at) {
        this.#mendCell(at);
        at = slot;
      }
      at = hrefs.put(sites[i]!, locals[i]!, ways[i]!, mix(look, i), view, at);
    }
    return this.#mendCell(at);
  }

  /** Writes text over what is left of a cell whose markup was broken into; returns where whole bytes go on. */
  #mendCell(at: number): number {
    const markup = at - (at % CELL) + MARKUP;
    const reach = Math.max(at, this.#hrefs.reach);
    return reach > markup - OVERSHOOT ? this.#putText(at, Math.ceil(at / CELL) * CELL) : at;
  }

  #putText(at: number, end: number): number {
    const text = this.#filler.text;
    for (let i = at; i < end; i++) this.body[i] = text[i % CELL]!;
    return Math.max(at, end);
  }

  /** Of a page with no room to spare, with the links planned last. */
  #mostBytes(size: number): number {
    const links = this.#plan.count * LONGEST_LINK;
    return this.#filler.headFor(size).bytes.length + links + CELL + this.#filler.foot.length;
  }

  #reserve(size: number): void {
    if (this.body.length >= size + OVERSHOOT) return;
    this.body = new Uint8Array(size + (size >>> 1) + OVERSHOOT);
    this.#view = new DataView(this.body.buffer);
  }
}
