/**
 * The sites that wait for room in memory, first in, first out: their keys as records of the log (`url-log.ts`), a queue like
 * that of a site. So a checkpoint keeps its ends, and writes nothing that it had before.
 */

import { assert } from '../model/assert.js';
import { count, fields, place, type Shape } from '../model/shape.js';
import { readWord, writeWord } from '../model/words.js';
import type { UrlLog } from './url-log.js';

const KEY_BYTES = 8;

export interface ParkedState {
  readonly count: number;
  /** Places of the first and the last record in the log. */
  readonly head: number;
  readonly tail: number;
}

export const PARKED_STATE: Shape<ParkedState> = fields({ count, head: place, tail: place });

export class ParkedSites {
  readonly #log: UrlLog;
  readonly #key = new Uint8Array(KEY_BYTES);
  #count: number;
  #head: number;
  #tail: number;
  /** Of the site that was taken last. */
  low = 0;
  high = 0;

  constructor(log: UrlLog, { count, head, tail }: ParkedState = { count: 0, head: -1, tail: -1 }) {
    this.#log = log;
    this.#count = count;
    this.#head = head;
    this.#tail = tail;
  }

  get count(): number {
    return this.#count;
  }

  get state(): ParkedState {
    return { count: this.#count, head: this.#head, tail: this.#tail };
  }

  push(low: number, high: number): void {
    writeWord(this.#key, 0, low);
    writeWord(this.#key, 4, high);
    const place = this.#log.append(this.#key, 0, KEY_BYTES);
    if (this.#count++ === 0) this.#head = place;
    else this.#log.link(this.#tail, place);
    this.#tail = place;
  }

  /** Takes the first one out: its key is `low` and `high`. REQUIRES: there is one. */
  take(): void {
    assert(this.#count > 0, 'there is a parked site to take out');
    const place = this.#head;
    this.#log.read(place);
    const { bytes, next, start } = this.#log;
    this.low = readWord(bytes, start);
    this.high = readWord(bytes, start + 4);
    this.#head = next;
    this.#count--;
    this.#log.free(place, KEY_BYTES);
  }
}
