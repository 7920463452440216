/**
 * A disk in memory that forgets, at a crash, what was not synced, and fails when it is told to. Directories
 * exist as soon as a file is in them.
 */
import { basename } from 'node:path';
import type { Disk, DiskFile, OpenMode } from '../model/disk.js';
import { NameTable } from './name-table.js';
import type { Random } from './random.js';

class Inode {
  bytes = new Uint8Array(0);
  size = 0;
  /** What is on the platter. */
  synced = new Uint8Array(0);
}

export class DiskFault extends Error {}

export class MemoryDisk implements Disk {
  #names = new NameTable<Inode>();
  #durableNames = new NameTable<Inode>();
  #changesLeft = Number.POSITIVE_INFINITY;
  openFiles = 0;
  /** Calls that change the disk, so far. */
  changes = 0;
  syncs = 0;

  /** Lets `count` more changes succeed, then fails every one. */
  failAfter(count: number): void {
    this.#changesLeft = count;
  }

  /** The power goes: what was not synced is there, or not, or in part. All files are closed. */
  crash(random: Random): void {
    this.#changesLeft = Number.POSITIVE_INFINITY;
    this.openFiles = 0;
    const names = copyOf(this.#durableNames);
    for (const [name, inode] of this.#names) if (random.chance(0.3)) names.set(name, inode);
    for (const [name] of this.#durableNames) {
      if (!this.#names.has(name) && random.chance(0.3)) names.delete(name);
    }
    for (const inode of new Set(Array.from(names, ([, inode]) => inode))) {
      const fate = random.below(3);
      const unsynced = inode.bytes.slice(0, inode.size);
      const kept = fate === 0 ? inode.synced : fate === 1 ? unsynced : tear(inode.synced, unsynced, random);
      inode.bytes = kept.slice();
      inode.size = kept.length;
      inode.synced = kept.slice();
    }
    this.#names = names;
    this.#durableNames = copyOf(names);
  }

  /** The names and contents of all files, as they are now. */
  files(): Map<string, Uint8Array> {
    return new Map(Array.from(this.#names, ([name, { bytes, size }]) => [name, bytes.slice(0, size)]));
  }

  /** Puts a file there, durably. */
  put(path: string, bytes: Uint8Array): void {
    const inode = new Inode();
    inode.bytes = bytes.slice();
    inode.size = bytes.length;
    inode.synced = bytes.slice();
    this.#names.set(path, inode);
    this.#durableNames.set(path, inode);
  }

  open(path: string, mode: OpenMode): DiskFile {
    let inode = this.#names.get(path);
    if (mode === 'read' && inode === undefined) throw new Error(`ENOENT: ${path}`);
    if (mode !== 'read') this.#change();
    if (inode === undefined) {
      inode = new Inode();
      this.#names.set(path, inode);
    }
    if (mode === 'create') inode.size = 0;
    this.openFiles++;
    return this.#handle(inode);
  }

  exists(path: string): boolean {
    return this.#names.has(path);
  }

  list(directory: string): string[] {
    return this.#names
      .childrenOf(directory)
      .map((path) => basename(path))
      .sort();
  }

  makeDirectory(): void {}

  rename(from: string, to: string): void {
    this.#change();
    this.#names.set(to, this.#names.get(from)!);
    this.#names.delete(from);
  }

  remove(path: string): void {
    this.#change();
    for (const name of this.#names.below(path)) this.#names.delete(name);
  }

  syncDirectory(path: string): void {
    this.#change();
    this.syncs++;
    // What became of its directories is theirs to make durable.
    for (const name of this.#durableNames.childrenOf(path))
      if (this.#durableNames.get(name) !== undefined && this.#names.get(name) === undefined)
        this.#durableNames.delete(name);
    for (const name of this.#names.childrenOf(path)) {
      const inode = this.#names.get(name);
      if (inode !== undefined) this.#durableNames.set(name, inode);
    }
  }

  #handle(inode: Inode): DiskFile {
    return {
      read: (into, start, end, position) => {
        const count = Math.max(0, Math.min(end - start, inode.size - position));
        into.set(inode.bytes.subarray(position, position + count), start);
        return count;
      },
      write: (from, start, end, position) => {
        this.#change();
        const size = position + end - start;
        if (size > inode.bytes.length) {
          const larger = new Uint8Array(2 * size);
          larger.set(inode.bytes.subarray(0, inode.size));
          inode.bytes = larger;
        }
        if (position > inode.size) inode.bytes.fill(0, inode.size, position);
        inode.bytes.set(from.subarray(start, end), position);
        inode.size = Math.max(inode.size, size);
      },
      size: () => inode.size,
      truncate: (size) => {
        this.#change();
        inode.size = Math.min(size, inode.size);
      },
      sync: () => {
        this.#change();
        this.syncs++;
        inode.synced = inode.bytes.slice(0, inode.size);
      },
      close: () => {
        this.openFiles--;
      },
    };
  }

  #change(): void {
    if (this.#changesLeft <= 0) throw new DiskFault('the disk is full');
    this.#changesLeft--;
    this.changes++;
  }
}

/** New bytes up to some place, old ones or zeros after it. */
function tear(old: Uint8Array, fresh: Uint8Array, random: Random): Uint8Array {
  const at = random.below(fresh.length + 1);
  const torn = new Uint8Array(Math.max(at, old.length));
  torn.set(old);
  torn.set(fresh.subarray(0, at));
  return torn;
}

function copyOf(names: NameTable<Inode>): NameTable<Inode> {
  const copy = new NameTable<Inode>();
  for (const [name, inode] of names) copy.set(name, inode);
  return copy;
}
