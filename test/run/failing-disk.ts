/**
 * The disk of a whole crawl, over all its threads: the k-th change fails, or the power goes there. What a power cut
 * leaves is kept track of beside the crawl directory, as files:
 *
 * | path         | is                                                        |
 * |--------------|-----------------------------------------------------------|
 * | live/PATH    | the number of the file that has this name now             |
 * | durable/PATH | the number of the file that has this name after a cut     |
 * | synced/N     | what file N had in it when it was synced last             |
 * | named/PATH   | a directory whose name is durable; `/` is written `:`     |
 *
 * A directory is durable when the one it is in was synced; without it, nothing in it is there.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Disk, type DiskFile, nodeDisk, type OpenMode } from '#drumline/model/disk.js';
import type { FaultSpec, Faults } from '#drumline/model/faults.js';

export type Fault = 'fails' | 'power cut';

interface FailingDiskData {
  readonly crawl: string;
  readonly shadow: string;
  readonly changes: SharedArrayBuffer;
  readonly failAt: number;
  readonly fault: Fault;
}

const CHANGES = 0;
const IS_OFF = 1;
const CLOSED_TWICE = 2;
const WORDS = 3;

/** For the threads of a crawl in the directory `crawl`; `shadow` is an empty directory beside it. */
export class FailingDisk implements Disk {
  readonly #data: FailingDiskData;
  readonly #words: Int32Array;
  readonly #thread: number;
  #files = 0;

  constructor(thread: number, data: FailingDiskData) {
    this.#data = data;
    this.#thread = thread;
    this.#words = new Int32Array(data.changes);
  }

  /** Changes of all threads so far. */
  get changes(): number {
    return this.#words[CHANGES]!;
  }

  /** Files that were closed again: by then, the number may be that of another thread's file. */
  get closedTwice(): number {
    return this.#words[CLOSED_TWICE]!;
  }

  readonly exists = nodeDisk.exists;
  readonly list = nodeDisk.list;

  makeDirectory(path: string): void {
    nodeDisk.makeDirectory(path);
    mkdirSync(this.#shadow('live', path), { recursive: true });
    mkdirSync(this.#shadow('durable', path), { recursive: true });
  }

  open(path: string, mode: OpenMode): DiskFile {
    if (mode !== 'read') this.#change(path);
    const isNew = !nodeDisk.exists(path);
    const file = nodeDisk.open(path, mode);
    if (mode === 'read') return file;
    const live = this.#shadow('live', path);
    if (!existsSync(live)) {
      this.makeDirectory(dirname(path));
      writeFileSync(live, `${this.#thread}-${this.#files++}`);
      if (!isNew) this.#adopt(path);
    }
    const number = readFileSync(live, 'utf8');
    let isClosed = false;
    return {
      read: (into, start, end, position) => file.read(into, start, end, position),
      write: (from, start, end, position) => {
        this.#change(path);
        file.write(from, start, end, position);
      },
      size: () => file.size(),
      truncate: (size) => {
        this.#change(path);
        file.truncate(size);
      },
      sync: () => {
        this.#change(path);
        file.sync();
        const bytes = new Uint8Array(file.size());
        file.read(bytes, 0, bytes.length, 0);
        writeFileSync(this.#synced(number), bytes);
      },
      close: () => {
        if (isClosed) Atomics.add(this.#words, CLOSED_TWICE, 1);
        isClosed = true;
        file.close();
      },
    };
  }

  rename(from: string, to: string): void {
    this.#change(to);
    nodeDisk.rename(from, to);
    if (existsSync(this.#shadow('live', from)))
      renameSync(this.#shadow('live', from), this.#shadow('live', to));
  }

  remove(path: string): void {
    this.#change(path);
    nodeDisk.remove(path);
    rmSync(this.#shadow('live', path), { recursive: true, force: true });
  }

  syncDirectory(path: string): void {
    this.#change(path);
    nodeDisk.syncDirectory(path);
    const live = this.#shadow('live', path);
    const durable = this.#shadow('durable', path);
    this.makeDirectory(path);
    for (const entry of readdirSync(live, { withFileTypes: true })) {
      if (entry.isDirectory()) writeFileSync(this.#named(join(path, entry.name)), '');
      if (!entry.isFile()) continue;
      try {
        const number = readFileSync(join(live, entry.name));
        // Empty: another thread is about to make it.
        if (number.length > 0) writeFileSync(join(durable, entry.name), number);
      } catch {
        // Another thread has renamed or removed it meanwhile.
      }
    }
    for (const name of readdirSync(durable)) {
      if (!existsSync(join(live, name))) rmSync(join(durable, name), { recursive: true, force: true });
    }
  }

  /** Brings the crawl directory to what the power cut left. REQUIRES: no thread uses the disk any more. */
  cut(): void {
    const { crawl } = this.#data;
    for (const path of filesIn(this.#shadow('live', crawl)))
      rmSync(join(crawl, relative(this.#shadow('live', crawl), path)), { force: true });
    for (const path of filesIn(this.#shadow('durable', crawl))) {
      const synced = this.#synced(readFileSync(path, 'utf8'));
      const target = join(crawl, relative(this.#shadow('durable', crawl), path));
      if (!this.#isNamed(dirname(target))) continue;
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, existsSync(synced) ? readFileSync(synced) : '');
    }
  }

  /** A file that somebody else made before is durable. */
  #adopt(path: string): void {
    const number = readFileSync(this.#shadow('live', path), 'utf8');
    writeFileSync(this.#shadow('durable', path), number);
    writeFileSync(this.#synced(number), readFileSync(path));
  }

  #isNamed(directory: string): boolean {
    const { crawl } = this.#data;
    return directory === crawl || (existsSync(this.#named(directory)) && this.#isNamed(dirname(directory)));
  }

  #named(directory: string): string {
    mkdirSync(join(this.#data.shadow, 'named'), { recursive: true });
    return join(this.#data.shadow, 'named', relative(this.#data.crawl, directory).replaceAll('/', ':'));
  }

  #shadow(kind: 'live' | 'durable', path: string): string {
    return join(this.#data.shadow, kind, relative(this.#data.crawl, path));
  }

  #synced(number: string): string {
    mkdirSync(join(this.#data.shadow, 'synced'), { recursive: true });
    return join(this.#data.shadow, 'synced', number);
  }

  #change(path: string): void {
    const { failAt, fault } = this.#data;
    const isNow = Atomics.add(this.#words, CHANGES, 1) + 1 === failAt;
    if (isNow && fault === 'power cut') Atomics.store(this.#words, IS_OFF, 1);
    if (isNow || Atomics.load(this.#words, IS_OFF) === 1)
      // As the file system's own: the threads of a crawl have classes of errors of their own.
      throw Object.assign(new Error(`${path}: EIO: the disk ${fault === 'fails' ? 'failed' : 'is off'}`), {
        path,
      });
  }
}

function filesIn(directory: string): string[] {
  return existsSync(directory)
    ? readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];
}

export function failingDisk(
  coordinator: number,
  crawl: string,
  shadow: string,
  failAt: number,
  fault: Fault,
): { disk: FailingDisk; faults: FaultSpec } {
  const data = { crawl, shadow, changes: new SharedArrayBuffer(4 * WORDS), failAt, fault };
  return { disk: new FailingDisk(coordinator, data), faults: { module: import.meta.url, data } };
}

export const openFaults = (thread: number, data: FailingDiskData): Faults => ({
  disk: new FailingDisk(thread, data),
});
