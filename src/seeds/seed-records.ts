/** The seeds of a crawl as PAGE_URL records. */

import { hostText } from '../model/canonical-url-bytes.js';
import type { Disk } from '../model/disk.js';
import { writeKey } from '../model/key.js';
import { MAX_RECORD, PAGE_URL, RECORD_HEADER, writeHeader } from '../model/record.js';
import { SeedFileReader } from './seed-file.js';

const encoder = new TextEncoder();

export class SeedRecords {
  readonly #reader: SeedFileReader;
  readonly #record = new Uint8Array(MAX_RECORD);
  readonly #keys = new Uint32Array(4);

  constructor(path: string, disk?: Disk) {
    this.#reader = new SeedFileReader(path, disk);
  }

  /** Goes on at a `position` that was read before. */
  seek(position: number): void {
    this.#reader.seek(position);
  }

  get position(): number {
    return this.#reader.position;
  }

  /** The next seed's record, valid until the next call; null when there are no more. */
  readonly next = (): Uint8Array | null => {
    const url = this.#reader.next();
    if (url === null) {
      this.#reader.close();
      return null;
    }
    writeKey(url, this.#keys, 0);
    writeKey(encoder.encode(hostText(url, 0)), this.#keys, 2);
    writeHeader(this.#record, 0, PAGE_URL, this.#keys[2]!, this.#keys[3]!, this.#keys[0]!, this.#keys[1]!);
    this.#record.set(url, RECORD_HEADER);
    return this.#record.subarray(0, RECORD_HEADER + url.length);
  };
}
