/**
 * How a thread shows whoever watches it that it gets on with its work: signs come from where its time goes. Whoever waits
 * for something outside of the thread gives none and says so, for to begin anew would not help it.
 */
import type { Disk, DiskFile, OpenMode } from './disk.js';

export interface LifeSigns {
  /** The thread got one step further. */
  alive(): void;
  /** From now on until as many `endWait` as `beginWait`, no sign is to be expected. */
  beginWait(): void;
  endWait(): void;
}

/** For threads that nobody watches. */
export const UNWATCHED: LifeSigns = { alive() {}, beginWait() {}, endWait() {} };

export function waiting<T>(signs: LifeSigns, wait: () => T): T {
  signs.beginWait();
  try {
    return wait();
  } finally {
    signs.endWait();
  }
}

class WatchedFile implements DiskFile {
  readonly #file: DiskFile;
  readonly #signs: LifeSigns;

  constructor(file: DiskFile, signs: LifeSigns) {
    this.#file = file;
    this.#signs = signs;
  }

  read(into: Uint8Array, start: number, end: number, position: number): number {
    this.#signs.beginWait();
    try {
      return this.#file.read(into, start, end, position);
    } finally {
      this.#signs.endWait();
    }
  }

  write(from: Uint8Array, start: number, end: number, position: number): void {
    this.#signs.beginWait();
    try {
      this.#file.write(from, start, end, position);
    } finally {
      this.#signs.endWait();
    }
  }

  size(): number {
    return this.#file.size();
  }

  truncate(size: number): void {
    waiting(this.#signs, () => this.#file.truncate(size));
  }

  sync(): void {
    waiting(this.#signs, () => this.#file.sync());
  }

  close(): void {
    waiting(this.#signs, () => this.#file.close());
  }
}

/** A disk each call to which is a wait: a saturated one takes minutes for a sync, and a thread is alive meanwhile. */
export class WatchedDisk implements Disk {
  readonly #disk: Disk;
  readonly #signs: LifeSigns;

  constructor(disk: Disk, signs: LifeSigns) {
    this.#disk = disk;
    this.#signs = signs;
  }

  open(path: string, mode: OpenMode): DiskFile {
    return new WatchedFile(
      waiting(this.#signs, () => this.#disk.open(path, mode)),
      this.#signs,
    );
  }

  exists(path: string): boolean {
    return waiting(this.#signs, () => this.#disk.exists(path));
  }

  list(directory: string): string[] {
    return waiting(this.#signs, () => this.#disk.list(directory));
  }

  makeDirectory(path: string): void {
    waiting(this.#signs, () => this.#disk.makeDirectory(path));
  }

  rename(from: string, to: string): void {
    waiting(this.#signs, () => this.#disk.rename(from, to));
  }

  remove(path: string): void {
    waiting(this.#signs, () => this.#disk.remove(path));
  }

  syncDirectory(path: string): void {
    waiting(this.#signs, () => this.#disk.syncDirectory(path));
  }
}
