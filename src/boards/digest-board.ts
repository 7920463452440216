/**
 * How agents ask the thread that keeps the digests of all payloads, as customers at a counter: each has a place of its
 * own in shared memory, puts its question there, rings, goes on with what it can do meanwhile, and waits for the answer.
 *
 * Most payloads are new, and a filter in shared memory says so: then the agent leaves a note of where it stores the
 * payload, in a ring to the keeper, and asks nothing. A note has 20 bytes of digest and 16 of place.
 *
 * | offset                  | size | name    | writes         | reads          |
 * |-------------------------|------|---------|----------------|----------------|
 * | 0                       | 4    | rings   | agents, main   | keeper         | grows with each question
 * | 4                       | 4    | state   | main, keeper   | agents, keeper | OPEN, CLOSING (no more questions), GONE, LOADING
 * | 8192 (agent + 1)        | 4    | turn    | agent, keeper  | agent, keeper  | FREE, ASKED, ANSWERED or FAILED
 * |                  + 4    | 4    | what    | agent          | keeper         | FIND, SAVE, CONFIRM or TAKE_NOTES
 * |                  + 8    | 16   | place   | agent, keeper  | agent, keeper  | of the payload if it is new; the answer
 * |                  + 24   | 16   | wrong   | agent          | keeper         | where it was found, and is not
 * |                  + 40   | 20   | digest  | agent          | keeper         |
 * |                  + 60   | 4    | length  | agent, keeper  | agent, keeper  | of the text
 * |                  + 64   | 4    | noting  | agent          | keeper         | 1: it may be in the filter, and not in the ring
 * |                  + 68   |      | text    | agent, keeper  | agent, keeper  | the manifest's path; why it FAILED
 *
 * A place has 4 bytes for the agent, or NOWHERE, 4 for the serial and 8 for the offset.
 *
 * Invariants
 * 1. A digest that is in the DRUM or in a ring is in the filter, once the keeper is not LOADING any more; agents wait for
 *    that.
 * 2. One that is in the filter is in the DRUM, in a ring, or in the hands of an agent that is noting, asking, or dead: so the
 *    keeper takes all notes before it answers a question, and waits a moment for who is noting.
 */
import type { CrawlOptions } from '../options/options.js';
import { allocateRings, type RingSlabs } from '../ring/ring-slabs.js';
import type { StoredPlace } from '../store/page-store.js';
import { allocateDigestFilter } from './digest-filter.js';

const SLOT_BYTES = 8192;
export const RINGS = 0;
export const STATE = 1;
export const OPEN = 0;
export const CLOSING = 1;
export const GONE = 2;
/** The filter does not have the digests of an earlier run yet. */
export const LOADING = 3;

export const TURN = 0;
export const WHAT = 1;
export const PLACE_AT = 8;
export const WRONG_AT = 24;
const DIGEST_AT = 40;
export const DIGEST_BYTES = 20;
const LENGTH = 15;
export const NOTING = 16;
const TEXT_AT = 68;

export const FREE = 0;
export const ASKED = 1;
export const ANSWERED = 2;
export const FAILED = 3;
export const FIND = 0;
export const SAVE = 1;
export const CONFIRM = 2;
export const TAKE_NOTES = 3;
const NOWHERE = -1;
const PLACE_BYTES = 16;
export const NOTE_BYTES = DIGEST_BYTES + PLACE_BYTES;
/** Takes some hundred notes. */
const NOTES_RING = 1 << 14;

/** One agent keeps its digests itself, in half of the time. */
export const sharesDigests = ({ agents }: Pick<CrawlOptions, 'agents'>): boolean => agents > 1;

export interface DigestMemory {
  readonly counter: SharedArrayBuffer;
  readonly filter: SharedArrayBuffer;
  /** Of notes, one for each agent. */
  readonly notes: RingSlabs;
}

/** `isLoading`: there may be digests already, and the keeper says when the filter has them. */
export function allocateDigestBoard(agents: number, filterBytes: number, isLoading = false): DigestMemory {
  const counter = new SharedArrayBuffer(SLOT_BYTES * (agents + 1));
  if (isLoading) new Int32Array(counter)[STATE] = LOADING;
  const notes = allocateRings(agents, NOTES_RING);
  return { counter, filter: allocateDigestFilter(filterBytes), notes };
}

export function getPlace(view: DataView, at: number): StoredPlace | null {
  const agent = view.getInt32(at);
  if (agent === NOWHERE) return null;
  return { agent, serial: view.getUint32(at + 4), offset: view.getFloat64(at + 8) };
}

export function setPlace(view: DataView, at: number, place: StoredPlace | null): void {
  view.setInt32(at, place?.agent ?? NOWHERE);
  view.setUint32(at + 4, place?.serial ?? 0);
  view.setFloat64(at + 8, place?.offset ?? 0);
}

export function ringKeeper(counter: Int32Array): void {
  Atomics.add(counter, RINGS, 1);
  Atomics.notify(counter, RINGS);
}

/** One agent's place at the counter. */
export class DigestSlot {
  readonly words: Int32Array;
  readonly digest: Uint8Array;
  readonly view: DataView;
  readonly #text: Uint8Array;

  constructor(memory: SharedArrayBuffer, agent: number) {
    const at = SLOT_BYTES * (agent + 1);
    this.words = new Int32Array(memory, at, TEXT_AT / 4);
    this.digest = new Uint8Array(memory, at + DIGEST_AT, DIGEST_BYTES);
    this.view = new DataView(memory, at, TEXT_AT);
    this.#text = new Uint8Array(memory, at + TEXT_AT, SLOT_BYTES - TEXT_AT);
  }

  get text(): string {
    return Buffer.from(this.#text.subarray(0, this.words[LENGTH])).toString();
  }

  set text(text: string) {
    const bytes = Buffer.from(text).subarray(0, this.#text.length);
    this.#text.set(bytes);
    this.words[LENGTH] = bytes.length;
  }
}
