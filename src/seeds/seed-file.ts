/** The seeds of a crawl as accepted: canonical URLs, one a line, in the crawl directory; read back in bounded memory. */
import { type Disk, nodeDisk } from '../model/disk.js';
import { LineFile } from '../model/line-file.js';
import { LineReader } from '../model/line-reader.js';
import { MAX_URL_BYTES } from '../model/url-list.js';

const LINE_FEED = 0x0a;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class SeedFileWriter {
  readonly #lines: LineFile;
  count = 0;

  /** Goes on behind the first `position` bytes. */
  constructor(path: string, disk: Disk = nodeDisk, position = 0) {
    this.#lines = new LineFile(disk, path, position);
  }

  /** Behind the seeds that are there; a last one that was cut off is taken away. */
  static append(path: string, disk: Disk = nodeDisk): SeedFileWriter {
    const file = disk.open(path, 'read');
    const tail = new Uint8Array(MAX_URL_BYTES + 1);
    const start = Math.max(0, file.size() - tail.length);
    const length = file.read(tail, 0, tail.length, start);
    file.close();
    return new SeedFileWriter(path, disk, start + tail.subarray(0, length).lastIndexOf(LINE_FEED) + 1);
  }

  /** REQUIRES: a canonical URL. */
  add(url: string): void {
    const bytes = encoder.encode(url);
    this.#lines.add(bytes, 0, bytes.length);
    this.count++;
  }

  close(): void {
    this.#lines.close();
  }
}

export class SeedFileReader {
  readonly #lines: LineReader;

  constructor(path: string, disk: Disk = nodeDisk) {
    this.#lines = new LineReader(disk.open(path, 'read'));
  }

  /** Where the next URL stands in the file. */
  get position(): number {
    return this.#lines.nextOffset;
  }

  seek(position: number): void {
    this.#lines.goTo(position);
  }

  /** The next URL's bytes, valid until the next call; null at the end. */
  next(): Uint8Array | null {
    const lines = this.#lines;
    return lines.next() ? lines.bytes.subarray(lines.start, lines.end) : null;
  }

  close(): void {
    this.#lines.close();
  }
}

/** All seeds of a file as strings, one after the other. */
export function* seedStrings(path: string, disk: Disk = nodeDisk): Generator<string> {
  const reader = new SeedFileReader(path, disk);
  try {
    for (let bytes = reader.next(); bytes !== null; bytes = reader.next()) yield decoder.decode(bytes);
  } finally {
    reader.close();
  }
}
