/**
 * Sites whose hosts are being looked up. A record stays here until its answer is acted upon, so that a checkpoint in
 * between keeps it.
 */
import type { RecordVisitor } from '../model/record.js';
import { isAddressDead, RECORD_HEADER, recordType, recordUrlEnd, SITE_ADDRESS } from '../model/record.js';

/** Finds out whether hosts exist, and where: by the DNS, or by asking an emulated web. */
export interface SiteNames {
  /** Calls back at once or later with an address ('' if none is needed) and why the site is refused ('' if it is not). */
  resolve(host: string, done: (address: string, failure: string) => void): void;
  /** What is known of a host no longer holds. */
  forget(host: string): void;
  readonly canTake: boolean;
  close(): void;
}

interface NameAnswer {
  readonly record: Uint8Array;
  readonly address: string;
  readonly failure: string;
}

const decoder = new TextDecoder();

export class NameQuestions {
  readonly #names: SiteNames;
  readonly #wake: () => void;
  readonly #open = new Set<Uint8Array>();
  #answers: NameAnswer[] = [];

  /** `wake` is called when an answer came. */
  constructor(names: SiteNames, wake: () => void) {
    this.#names = names;
    this.#wake = wake;
  }

  /** Records whose answers were not acted upon yet. */
  get count(): number {
    return this.#open.size;
  }

  get hasAnswers(): boolean {
    return this.#answers.length > 0;
  }

  get canTake(): boolean {
    return this.#names.canTake;
  }

  /** Asks for the host of the record's URL. REQUIRES: `canTake`. */
  ask(bytes: Uint8Array, start: number, end: number): void {
    const host = hostOf(bytes, start + RECORD_HEADER, recordUrlEnd(bytes, start, end));
    // The answer may come when the caller's bytes are gone.
    const record = bytes.slice(start, end);
    this.#open.add(record);
    if (recordType(record, 0) === SITE_ADDRESS && isAddressDead(record, 0)) this.#names.forget(host);
    this.#names.resolve(host, (address, failure) => {
      this.#answers.push({ record, address, failure });
      this.#wake();
    });
  }

  /** Acts upon every answer that came. */
  answer(act: (record: Uint8Array, address: string, failure: string) => void): void {
    for (const { record, address, failure } of this.#answers) {
      act(record, address, failure);
      this.#open.delete(record);
    }
    this.#answers = [];
  }

  /** Visits every record. */
  forEach(visit: RecordVisitor): void {
    for (const record of this.#open) visit(record, 0, record.length);
  }

  close(): void {
    this.#names.close();
  }
}

/** The host of a canonical URL without its port. */
function hostOf(url: Uint8Array, start: number, end: number): string {
  return new URL(decoder.decode(url.subarray(start, end))).hostname;
}
