/**
 * Writes the WARC files of one agent, one after the other. Invariants:
 * 1. What was appended is whole in the file: a write that fails is cut off again.
 * 2. A file has its name when it is complete; until then `.open` stands behind it.
 * 3. The records of one `append` are in one file.
 */
import type { Disk, DiskFile } from '../model/disk.js';
import { DamagedFileError } from '../model/errors.js';
import type { WarcFiles } from './warc-files.js';

/** A place between two records. */
export interface WarcPosition {
  /** The file's name when it is complete. */
  readonly file: string;
  readonly offset: number;
}

export interface WarcWriterOptions {
  readonly disk: Disk;
  readonly files: WarcFiles;
  /** A file that has as many bytes gets no more records. */
  readonly maxBytes: number;
  /** The first record of the file with this name, as a gzip member. */
  readonly firstRecord: (name: string) => Buffer;
}

export class WarcWriter {
  readonly #options: WarcWriterOptions;
  #file: DiskFile | null = null;
  #name = '';
  #serial = 0;
  #offset = 0;
  /** The first record of the file that is begun next. */
  #first: Buffer | null = null;
  /** A failed write could not be cut off. */
  #isTorn = false;
  /** Files begun, and bytes in all files. */
  fileCount = 0;
  bytes = 0;

  /**
   * Goes on at a position that was saved, or at the beginning: what the agent wrote behind it is cut off, whole records
   * or not, and files begun after it are removed, for their pages are fetched again. REQUIRES: the directory exists.
   */
  constructor(options: WarcWriterOptions, position?: WarcPosition) {
    this.#options = options;
    const { disk, files } = options;
    this.#serial = position === undefined ? 0 : files.serialOf(position.file);
    const hasRecords = position !== undefined && position.offset > 0;
    const firstToGo = this.#serial + (hasRecords ? 1 : 0);
    for (const name of disk.list(files.directory)) {
      if (files.serialOf(name) >= firstToGo) disk.remove(files.path(name));
    }
    if (hasRecords) this.#reopen(position);
  }

  /** Where the next records go: to another file if the last one has its size and `mayTurnOver`. */
  begin(mayTurnOver: boolean): { readonly file: string; readonly serial: number; readonly offset: number } {
    if (this.#file !== null && mayTurnOver && this.#offset >= this.#options.maxBytes) this.#complete();
    if (this.#file === null && this.#first === null) {
      this.#name = this.#options.files.name(this.#serial);
      this.#first = this.#options.firstRecord(this.#name);
    }
    const offset = this.#first?.length ?? this.#offset;
    return { file: this.#name, serial: this.#serial, offset };
  }

  /** Appends whole gzip members, or throws and leaves the file as it was. REQUIRES: `begin` was called. */
  append(members: Uint8Array): void {
    if (this.#first !== null) this.#beginFile(this.#first);
    this.#write(members);
  }

  /** Reads from the file that is open; returns the bytes read. */
  read(into: Uint8Array, offset: number): number {
    const end = Math.min(into.length, this.#offset - offset);
    return this.#file === null || end <= 0 ? 0 : this.#file.read(into, 0, end, offset);
  }

  /** Of the file that is written to, or is next. */
  get serial(): number {
    return this.#serial;
  }

  /** Where its last whole record ends. */
  get offset(): number {
    return this.#file === null ? 0 : this.#offset;
  }

  get openSerial(): number {
    return this.#file === null ? -1 : this.#serial;
  }

  /** Makes everything durable; returns where to go on after a crash. */
  save(): WarcPosition {
    const { disk, files } = this.#options;
    if (this.#file === null) return { file: files.name(this.#serial), offset: 0 };
    this.#file.sync();
    disk.syncDirectory(files.directory);
    return { file: this.#name, offset: this.#offset };
  }

  /** Completes the open file. */
  close(): void {
    if (this.#file !== null) this.#complete();
  }

  #beginFile(firstRecord: Buffer): void {
    const { disk, files } = this.#options;
    const path = files.openPath(this.#name);
    this.#file = disk.open(path, 'create');
    this.#offset = 0;
    try {
      this.#write(firstRecord);
    } catch (error) {
      this.#file.close();
      this.#file = null;
      disk.remove(path);
      throw error;
    }
    this.#first = null;
    this.fileCount++;
  }

  #write(bytes: Uint8Array): void {
    const file = this.#file!;
    if (this.#isTorn) file.truncate(this.#offset);
    this.#isTorn = false;
    try {
      file.write(bytes, 0, bytes.length, this.#offset);
    } catch (error) {
      this.#isTorn = true;
      try {
        file.truncate(this.#offset);
        this.#isTorn = false;
      } catch {
        // The first error says more. The file keeps its `.open` unless a later write mends it.
      }
      throw error;
    }
    this.#offset += bytes.length;
    this.bytes += bytes.length;
  }

  #complete(): void {
    const { disk, files } = this.#options;
    const file = this.#file!;
    this.#file = null;
    try {
      file.sync();
    } finally {
      file.close();
    }
    if (!this.#isTorn) {
      disk.rename(files.openPath(this.#name), files.path(this.#name));
      disk.syncDirectory(files.directory);
    }
    this.#isTorn = false;
    this.#serial++;
  }

  #reopen({ file, offset }: WarcPosition): void {
    const { disk, files } = this.#options;
    const isComplete = disk.exists(files.path(file));
    if (!isComplete && !disk.exists(files.openPath(file)))
      throw new DamagedFileError(files.path(file), 0, `it is gone: it had ${offset} bytes`);
    const opened = disk.open(isComplete ? files.path(file) : files.openPath(file), 'update');
    const size = opened.size();
    if (size < offset) {
      opened.close();
      throw new DamagedFileError(files.path(file), size, `the file is cut: it had ${offset} bytes`);
    }
    if (isComplete && size === offset) {
      // Whoever has taken a complete file in finds it as it was: the next records go to another one.
      opened.close();
      this.#serial++;
      return;
    }
    opened.truncate(offset);
    if (isComplete) disk.rename(files.path(file), files.openPath(file));
    this.#file = opened;
    this.#name = file;
    this.#offset = offset;
  }
}
