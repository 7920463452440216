/**
 * Files that a checkpoint needs, with what they must hold: what was written stays what it was, or nobody goes on from it.
 * CRC-32 goes on where it ended, so a file that is only appended to costs in proportion to what is new.
 */

import { join, relative } from 'node:path';
import type { Disk } from '../model/disk.js';
import { DamagedFileError } from '../model/errors.js';
import { sumOf } from '../model/file-sum.js';
import { count, fields, oneOf, type Shape, text } from '../model/shape.js';

/**
 * `whole`: holds these bytes and no more. `begins`: begins with these bytes; what follows is not the checkpoint's.
 * `holds`: has so many bytes at least, and checksums of its own, which are looked at when it is read.
 */
export type Extent = 'whole' | 'begins' | 'holds';

export interface NeededFile {
  /** In the crawl directory. */
  readonly path: string;
  readonly extent: Extent;
  readonly bytes: number;
  /** Of these bytes; 0 where the file has its own. */
  readonly crc: number;
}

export const NEEDED_FILE: Shape<NeededFile> = fields({
  path: text,
  extent: oneOf<Extent>('whole', 'begins', 'holds'),
  bytes: count,
  crc: count,
});

/** A WARC file has this behind its name until it is complete, which may be after the checkpoint. */
const OPEN = '.open';

/** Follows the files of one thread from checkpoint to checkpoint: only what was appended since is read. */
export class NeededFiles {
  readonly #disk: Disk;
  readonly #root: string;
  readonly #known = new Map<string, NeededFile>();

  /** `known` is what the checkpoint had of them that the thread goes on from. */
  constructor(disk: Disk, root: string, known: readonly NeededFile[] = []) {
    this.#disk = disk;
    this.#root = root;
    for (const file of known) this.#known.set(file.path, file);
  }

  /** The first `bytes` bytes of a file that is appended to, or cut back; Infinity for all that it has now. */
  begins(path: string, bytes: number): NeededFile {
    return this.#sum(path, 'begins', bytes);
  }

  /** A file that will not change any more. */
  whole(path: string): NeededFile {
    const known = this.#known.get(this.#nameOf(path));
    return known?.extent === 'whole' ? known : this.#sum(path, 'whole', Number.POSITIVE_INFINITY);
  }

  holds(path: string, bytes: number): NeededFile {
    return { path: this.#nameOf(path), extent: 'holds', bytes, crc: 0 };
  }

  #sum(path: string, extent: Extent, wanted: number): NeededFile {
    const name = this.#nameOf(path);
    const known = this.#known.get(name) ?? this.#known.get(otherName(name));
    const file = this.#disk.open(path, 'read');
    try {
      const bytes = Math.min(wanted, file.size());
      if (bytes < wanted && wanted < Number.POSITIVE_INFINITY)
        throw new DamagedFileError(path, bytes, `it had ${wanted} bytes`);
      const from = known !== undefined && known.bytes <= bytes ? known : { bytes: 0, crc: 0 };
      const sum = { path: name, extent, bytes, crc: sumOf(file, from.bytes, bytes, from.crc) };
      this.#known.set(name, sum);
      return sum;
    } finally {
      file.close();
    }
  }

  #nameOf(path: string): string {
    return relative(this.#root, path);
  }
}

/**
 * Throws at the first file that is not what it was. Smaller files come first, and are read until `most` bytes were; of
 * the others only the size is looked at: their readers find damage inside.
 */
export function checkNeeded(
  disk: Disk,
  root: string,
  files: readonly NeededFile[],
  most = Number.POSITIVE_INFINITY,
): void {
  let left = most;
  for (const { path, extent, bytes, crc } of files.toSorted((a, b) => a.bytes - b.bytes)) {
    const found = [path, otherName(path)].map((name) => join(root, name)).find((name) => disk.exists(name));
    if (found === undefined) throw new DamagedFileError(join(root, path), 0, 'it is gone');
    const file = disk.open(found, 'read');
    try {
      const size = file.size();
      if (size < bytes) throw new DamagedFileError(found, size, `cut off: it had ${bytes} bytes`);
      if (size > bytes && extent === 'whole')
        throw new DamagedFileError(found, bytes, `it has ${size} bytes, not ${bytes}`);
      if (extent === 'holds' || bytes > left) continue;
      left -= bytes;
      if (sumOf(file, 0, bytes, 0) !== crc)
        throw new DamagedFileError(found, 0, `the checksum of its first ${bytes} bytes`);
    } finally {
      file.close();
    }
  }
}

const otherName = (name: string): string =>
  name.endsWith(OPEN) ? name.slice(0, -OPEN.length) : `${name}${OPEN}`;
