/** What one agent writes down of its pages: counters, errors by code, the page list. */
import type { AgentCounters } from '../model/counters.js';
import { type Disk, type DiskFile, nodeDisk } from '../model/disk.js';
import type { FetchedPage } from '../model/web.js';
import { RECORD_HEADER } from '../ring/record.js';
import type { VisitedPages } from './visited-pages.js';

const LINE_FEED = 0x0a;
const BUFFER_BYTES = 1 << 16;

/** Appends lines to a file through a buffer. */
class LineFile {
  readonly #file: DiskFile;
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  #used = 0;
  #written = 0;

  constructor(disk: Disk, path: string) {
    this.#file = disk.open(path, 'create');
  }

  /** REQUIRES: the line is shorter than the buffer. */
  add(bytes: Uint8Array, start: number, end: number): void {
    if (this.#used + end - start + 1 > BUFFER_BYTES) this.#flush();
    this.#buffer.set(bytes.subarray(start, end), this.#used);
    this.#used += end - start;
    this.#buffer[this.#used++] = LINE_FEED;
  }

  close(): void {
    this.#flush();
    this.#file.close();
  }

  #flush(): void {
    this.#file.write(this.#buffer, 0, this.#used, this.#written);
    this.#written += this.#used;
    this.#used = 0;
  }
}

export class AgentBooks {
  readonly #counters: AgentCounters;
  readonly #visited: VisitedPages | null;
  readonly #list: LineFile | null;
  readonly errors: Record<string, number> = {};

  /** `listPath` is where the URLs of distinct pages go, or null. */
  constructor(counters: AgentCounters, visited: VisitedPages | null, listPath: string | null) {
    this.#counters = counters;
    this.#visited = visited;
    this.#list = listPath === null ? null : new LineFile(nodeDisk, listPath);
  }

  /** A page was downloaded for the PAGE_URL record `record[0, length)`. */
  page(record: Uint8Array, length: number, page: FetchedPage): void {
    this.#counters.add('pages', 1);
    this.#counters.add('bytes', page.bodyLength);
    if (this.#visited !== null && page.pageNumber >= 0 && !this.#visited.book(page.pageNumber)) {
      this.#counters.add('repeatedPages', 1);
    } else {
      this.#list?.add(record, RECORD_HEADER, length);
    }
  }

  /** Something was given up. Codes are few: HTTP statuses and names from the code. */
  error(code: string): void {
    this.errors[code] = (this.errors[code] ?? 0) + 1;
  }

  close(): void {
    this.#list?.close();
  }
}
