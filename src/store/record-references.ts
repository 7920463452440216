/**
 * What revisits say of the records that have their bodies, read from the files: nothing is referred to that is not
 * there, whoever was to write it and died over it.
 */
import type { Disk, DiskFile } from '../model/disk.js';
import type { StoredPlace, WrittenPlaces } from './page-store.js';
import type { WarcFiles } from './warc-files.js';
import { HEAD_BYTES, type RecordReference, readReference } from './warc-head.js';
import type { WarcWriter } from './warc-writer.js';
import { WrittenNames } from './written-names.js';

/** Records that are referred to most likely: the last ones. */
const MOST_REFERENCES = 1024;

export class RecordReferences {
  readonly #disk: Disk;
  readonly #files: WarcFiles;
  readonly #writer: WarcWriter;
  readonly #written: WrittenPlaces;
  /** By place, the least recently used first. */
  readonly #known = new Map<string, RecordReference>();
  readonly #names: WrittenNames;
  readonly #head = new Uint8Array(HEAD_BYTES);

  constructor(disk: Disk, files: WarcFiles, writer: WarcWriter, written: WrittenPlaces) {
    this.#disk = disk;
    this.#files = files;
    this.#writer = writer;
    this.#written = written;
    this.#names = new WrittenNames(disk, files);
  }

  /** The response with this payload at the place; null if there is none. */
  find(place: StoredPlace, digest: string): RecordReference | null {
    const reference = this.#known.get(keyOf(place)) ?? this.#read(place);
    if (reference?.digest !== digest) return null;
    this.remember(place, reference);
    return reference;
  }

  remember(place: StoredPlace, reference: RecordReference): void {
    const key = keyOf(place);
    this.#known.delete(key);
    this.#known.set(key, reference);
    if (this.#known.size <= MOST_REFERENCES) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      return;
    }
  }

  #read(place: StoredPlace): RecordReference | null {
    const { agent, serial, offset } = place;
    const head = this.#head;
    if (agent === this.#files.agent && serial === this.#writer.openSerial)
      return readReference(head.subarray(0, this.#writer.read(head, offset)));
    if (agent !== this.#files.agent && !this.#written.isWritten(place)) return null;
    const name = this.nameOf(place);
    if (name === '') return null;
    const file = this.#open(this.#files.openPath(name)) ?? this.#open(this.#files.path(name));
    if (file === null) return null;
    try {
      return readReference(this.#head.subarray(0, file.read(this.#head, 0, HEAD_BYTES, offset)));
    } finally {
      file.close();
    }
  }

  /** Null if it is not there: a file that was completed meanwhile has another name. */
  #open(path: string): DiskFile | null {
    try {
      return this.#disk.open(path, 'read');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  /** What a place's file is called when it is complete; '' if there is none. */
  nameOf(place: StoredPlace): string {
    return this.#names.nameOf(place);
  }
}

const keyOf = ({ agent, serial, offset }: StoredPlace): string => `${agent} ${serial} ${offset}`;
