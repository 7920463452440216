/** Answers of the DNS, each until its time is over, within a bound of memory: the oldest go first. */
import type { Clock } from '../../model/clock.js';

export interface NameAnswer {
  /** '' if there is none. */
  readonly address: string;
  /** Why there is none, or ''. */
  readonly failure: string;
}

interface Entry extends NameAnswer {
  readonly expires: number;
}

/** An entry with its place in the map and its strings, beside the characters themselves. */
const ENTRY_BYTES = 200;

export class NameCache {
  readonly #entries = new Map<string, Entry>();
  readonly #memoryBytes: number;
  readonly #clock: Clock;
  #bytes = 0;

  constructor(memoryBytes: number, clock: Clock) {
    this.#memoryBytes = memoryBytes;
    this.#clock = clock;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(host: string): NameAnswer | null {
    const entry = this.#entries.get(host);
    if (entry === undefined) return null;
    if (entry.expires > this.#clock()) return entry;
    this.delete(host);
    return null;
  }

  /** Keeps an answer for `lifetime` milliseconds. */
  set(host: string, answer: NameAnswer, lifetime: number): void {
    this.delete(host);
    const { address, failure } = answer;
    this.#entries.set(host, { address, failure, expires: this.#clock() + lifetime });
    this.#bytes += bytesOf(host);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#memoryBytes) break;
      this.delete(oldest);
    }
  }

  delete(host: string): void {
    if (this.#entries.delete(host)) this.#bytes -= bytesOf(host);
  }
}

function bytesOf(host: string): number {
  return ENTRY_BYTES + host.length;
}
