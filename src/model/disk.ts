/**
 * The disk as the crawler sees it: synchronous (each thread blocks only itself), and an interface,
 * so that tests can fail any write, sync or rename, and drop what was not synced.
 */
import fs from 'node:fs';
import { dirname } from 'node:path';
import { DrumlineError, oneLine } from './errors.js';
import { makeDirectories } from './make-directories.js';

export interface DiskFile {
  /** Fills `into[start, end)` from `position`; returns the bytes read, fewer only at the end of the file. */
  read(into: Uint8Array, start: number, end: number, position: number): number;
  /** Writes all of `from[start, end)` at `position`, or throws. */
  write(from: Uint8Array, start: number, end: number, position: number): void;
  size(): number;
  truncate(size: number): void;
  sync(): void;
  close(): void;
}

/** `read`: must exist. `create`: read and write, emptied. `update`: read and write, kept or made. */
export type OpenMode = 'read' | 'create' | 'update';

export interface Disk {
  open(path: string, mode: OpenMode): DiskFile;
  exists(path: string): boolean;
  /** Names in a directory, sorted; none if it does not exist. */
  list(directory: string): string[];
  makeDirectory(path: string): void;
  rename(from: string, to: string): void;
  /** Removes a file or a whole directory; fine if it is not there. */
  remove(path: string): void;
  /** Makes renames and new names in a directory durable. */
  syncDirectory(path: string): void;
}

class NodeFile implements DiskFile {
  readonly #path: string;
  #fd: number;

  constructor(path: string, fd: number) {
    this.#path = path;
    this.#fd = fd;
  }

  read(into: Uint8Array, start: number, end: number, position: number): number {
    let at = start;
    try {
      while (at < end) {
        const count = fs.readSync(this.#fd, into, at, end - at, position + at - start);
        if (count === 0) break;
        at += count;
      }
    } catch (error) {
      throw this.#named(error);
    }
    return at - start;
  }

  write(from: Uint8Array, start: number, end: number, position: number): void {
    let at = start;
    try {
      while (at < end) at += fs.writeSync(this.#fd, from, at, end - at, position + at - start);
    } catch (error) {
      throw this.#named(error);
    }
  }

  size(): number {
    return fs.fstatSync(this.#fd).size;
  }

  truncate(size: number): void {
    try {
      fs.ftruncateSync(this.#fd, size);
    } catch (error) {
      throw this.#named(error);
    }
  }

  sync(): void {
    try {
      fs.fdatasyncSync(this.#fd);
    } catch (error) {
      throw this.#named(error);
    }
  }

  close(): void {
    const fd = this.#fd;
    // The number may be another thread's file from now on, which a write or a second close here must not reach.
    this.#fd = -1;
    try {
      fs.closeSync(fd);
    } catch (error) {
      throw this.#named(error);
    }
  }

  /** What the system says of an open file leaves out which file it was. */
  #named(error: unknown): DrumlineError {
    return new DrumlineError('DISK', `${this.#path}: ${oneLine(error)}`, 'fatal', { cause: error });
  }
}

export const nodeDisk: Disk = {
  open(path, mode) {
    const { O_RDONLY, O_RDWR, O_CREAT, O_TRUNC } = fs.constants;
    const flags =
      mode === 'read' ? O_RDONLY : mode === 'create' ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR | O_CREAT;
    return new NodeFile(path, fs.openSync(path, flags, 0o644));
  },
  exists: (path) => fs.existsSync(path),
  list(directory) {
    return fs.existsSync(directory) ? fs.readdirSync(directory).sort() : [];
  },
  makeDirectory(path) {
    makeDirectories(path);
  },
  rename: (from, to) => fs.renameSync(from, to),
  remove: (path) => fs.rmSync(path, { recursive: true, force: true }),
  syncDirectory(path) {
    const fd = fs.openSync(path, fs.constants.O_RDONLY);
    try {
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
  },
};

/** Was an error of the disk that it has no room, or that the user may not have more of it? */
export function isDiskFull(error: unknown): boolean {
  const { code, cause } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return true;
  return cause !== undefined && cause !== error && isDiskFull(cause);
}

/** Room for more on the disk that holds a path. */
export function freeBytes(path: string): number {
  const { bavail, bsize } = fs.statfsSync(path);
  return bavail * bsize;
}

/** Writes a small file so that readers see the old content or the new, never a part. */
export function replaceFile(disk: Disk, path: string, content: string): void {
  const bytes = new TextEncoder().encode(content);
  const temporary = `${path}.new`;
  const file = disk.open(temporary, 'create');
  try {
    file.write(bytes, 0, bytes.length, 0);
    file.sync();
  } finally {
    file.close();
  }
  disk.rename(temporary, path);
  disk.syncDirectory(dirname(path));
}

/** Of a file that exists. */
export function sizeOf(disk: Disk, path: string): number {
  const file = disk.open(path, 'read');
  try {
    return file.size();
  } finally {
    file.close();
  }
}

/** The whole of a small file. */
export function readWhole(disk: Disk, path: string): Uint8Array {
  const file = disk.open(path, 'read');
  try {
    const bytes = new Uint8Array(file.size());
    return bytes.subarray(0, file.read(bytes, 0, bytes.length, 0));
  } finally {
    file.close();
  }
}
