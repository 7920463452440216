/**
 * Bodies of sitemaps on disk, a file for each, until they are read. They are worth one request each: not synced, and in no
 * checkpoint.
 */
import { join } from 'node:path';
import type { Disk } from '../model/disk.js';

const PIECE_BYTES = 64 * 1024;

export class SitemapBodies {
  readonly #disk: Disk;
  readonly #directory: string;
  #last = 0;
  #isThere = false;

  /** What an earlier process left in the directory is removed. */
  constructor(disk: Disk, directory: string) {
    this.#disk = disk;
    this.#directory = directory;
    disk.remove(directory);
  }

  /** Keeps `body[0, length)`; returns what it is called here. */
  keep(body: Uint8Array, length: number): number {
    if (!this.#isThere) this.#disk.makeDirectory(this.#directory);
    this.#isThere = true;
    const name = ++this.#last;
    const file = this.#disk.open(this.#path(name), 'create');
    try {
      file.write(body, 0, length, 0);
    } finally {
      file.close();
    }
    return name;
  }

  /** The body in pieces. */
  *read(name: number): Generator<Uint8Array> {
    const file = this.#disk.open(this.#path(name), 'read');
    try {
      for (let position = 0; ; ) {
        const piece = new Uint8Array(PIECE_BYTES);
        const length = file.read(piece, 0, piece.length, position);
        if (length === 0) return;
        position += length;
        yield piece.subarray(0, length);
      }
    } finally {
      file.close();
    }
  }

  remove(name: number): void {
    this.#disk.remove(this.#path(name));
  }

  #path(name: number): string {
    return join(this.#directory, String(name));
  }
}
