/**
 * Sites whose names could not be looked up for now, until they are asked for again: after a pause that doubles with each
 * try, to a bound. All that wait for their n-th try wait equally long, so each n has a queue that is in order of time by
 * itself: nothing is sorted, and what memory has no room for is on disk. From the longest pause on one queue serves all.
 *
 * | offset in a queue's record | size | name                                |
 * |----------------------------|------|-------------------------------------|
 * | 0                          | 8    | when it is due, a double            |
 * | 8                          | 1    | tries so far                        |
 * | 9                          |      | the site's record                   |
 */
import type { Clock } from '../model/clock.js';
import type { Disk } from '../model/disk.js';
import { MAX_RECORD, type RecordVisitor } from '../model/record.js';
import { SpillQueue } from '../spill/spill-queue.js';

const LONGEST_PAUSE_MS = 600e3;
const HEADER = 9;

export interface NameRetriesOptions {
  /** Tries after the first one. */
  readonly retries: number;
  /** Milliseconds before the first of these. */
  readonly retryDelay: number;
  readonly clock: Clock;
  readonly memoryBytes: number;
  readonly path: (queue: number) => string;
}

interface Waiting {
  readonly queue: SpillQueue;
  readonly pause: number;
  /** What the queue gave last still waits. */
  hasHead: boolean;
}

export class NameRetries {
  readonly #clock: Clock;
  readonly #queues: readonly Waiting[];
  readonly #entry = new Uint8Array(HEADER + MAX_RECORD + 1);
  readonly #view = new DataView(this.#entry.buffer);

  /** The record taken last is `bytes[start, end)`, valid until the next `take`, and was tried so often. */
  bytes: Uint8Array = this.#entry;
  start = 0;
  end = 0;
  tries = 0;

  constructor(disk: Disk, { retries, retryDelay, clock, memoryBytes, path }: NameRetriesOptions) {
    this.#clock = clock;
    const longest = Math.max(retryDelay, LONGEST_PAUSE_MS);
    const pauses: number[] = [];
    for (let i = 0; i < Math.max(1, retries) && pauses.at(-1) !== longest; i++)
      pauses.push(Math.min(longest, retryDelay * 2 ** i));
    this.#queues = pauses.map((pause, i) => ({
      queue: new SpillQueue(disk, path(i), memoryBytes / pauses.length),
      pause,
      hasHead: false,
    }));
  }

  get count(): number {
    let count = 0;
    for (const { queue, hasHead } of this.#queues) count += queue.count + (hasHead ? 1 : 0);
    return count;
  }

  /** Milliseconds until the first is due; Infinity if none waits. */
  get delay(): number {
    return Math.max(0, this.#first().due - this.#clock());
  }

  /** Takes a copy of a site's record whose name was asked for `tries` times, not counting those that say nothing about it. */
  add(record: Uint8Array, tries: number): void {
    const { queue, pause } = this.#queues[Math.max(1, Math.min(tries, this.#queues.length)) - 1]!;
    this.#view.setFloat64(0, this.#clock() + pause);
    this.#entry[8] = tries;
    this.#entry.set(record, HEADER);
    queue.push(this.#entry, 0, HEADER + record.length);
  }

  /** Takes the one that is due first, though it may not be yet; false if there is none. */
  take(): boolean {
    const { waiting } = this.#first();
    if (waiting === null) return false;
    const { bytes, start, end } = waiting.queue;
    waiting.hasHead = false;
    this.bytes = bytes;
    this.start = start + HEADER;
    this.end = end;
    this.tries = bytes[start + 8]!;
    return true;
  }

  /** Visits every record. */
  forEach(visit: RecordVisitor): void {
    for (const { queue, hasHead } of this.#queues) {
      if (hasHead) visit(queue.bytes, queue.start + HEADER, queue.end);
      queue.forEach((bytes, start, end) => {
        visit(bytes, start + HEADER, end);
      });
    }
  }

  close(): void {
    for (const { queue } of this.#queues) queue.close();
  }

  #first(): { readonly waiting: Waiting | null; readonly due: number } {
    let first: Waiting | null = null;
    let soonest = Number.POSITIVE_INFINITY;
    for (const waiting of this.#queues) {
      const { queue } = waiting;
      if (!waiting.hasHead) waiting.hasHead = queue.take();
      if (!waiting.hasHead) continue;
      const due = dueOf(queue);
      if (due < soonest) {
        soonest = due;
        first = waiting;
      }
    }
    return { waiting: first, due: soonest };
  }
}

function dueOf({ bytes, start }: SpillQueue): number {
  return new DataView(bytes.buffer, bytes.byteOffset + start, 8).getFloat64(0);
}
