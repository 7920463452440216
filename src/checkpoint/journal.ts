/**
 * What an agent took out of its rings since a checkpoint, on disk before its room in the ring is freed: so that it is
 * not lost with the agent's thread. It need not survive the process: then all threads go back to the checkpoint
 * together, and what was sent since is sent again.
 *
 * | offset | size | name                               |
 * |--------|------|------------------------------------|
 * | 0      | 4    | length of the record               |
 * | 4      |      | its bytes; the next record follows |
 *
 * A thread may die between writing records and freeing them, and then they come twice. That does no harm: whatever comes
 * by ring is checked for being new.
 */

import { join } from 'node:path';
import { assert } from '../model/assert.js';
import type { Disk } from '../model/disk.js';
import { FileAppender } from '../model/file-appender.js';
import type { RecordVisitor } from '../model/record.js';
import { MAX_RECORD } from '../model/record.js';
import { readWord, writeWord } from '../model/words.js';

const LENGTH = 4;
const NAME = /^journal-(\d+)$/;
/** It is written when that is asked for. */
const BUFFER = { mostBytes: Number.POSITIVE_INFINITY, firstBytes: 1 << 14 };
const READ_BYTES = 1 << 18;

export class Journal {
  readonly #disk: Disk;
  readonly #directory: string;
  /** What waits in it is at most what one turn takes from one ring. */
  #out: FileAppender;

  private constructor(disk: Disk, directory: string, generation: number, written: number) {
    this.#disk = disk;
    this.#directory = directory;
    this.#out = FileAppender.goOn(disk, pathOf(directory, generation), written, BUFFER);
  }

  /** A new one, behind the checkpoint `generation`. */
  static begin(disk: Disk, directory: string, generation: number): Journal {
    disk.remove(directory);
    disk.makeDirectory(directory);
    return new Journal(disk, directory, generation, 0);
  }

  /** Goes on with the journal of a thread that died; visits all records since the checkpoint `generation`. */
  static recover(disk: Disk, directory: string, generation: number, visit: RecordVisitor): Journal {
    disk.makeDirectory(directory);
    const path = pathOf(directory, generation);
    const journal = new Journal(
      disk,
      directory,
      generation,
      disk.exists(path) ? visitRecords(disk, path, visit) : 0,
    );
    // Of checkpoints that the thread wrote its part of and that did not come about: they will be made again.
    for (const later of generationsIn(disk, directory).filter((each) => each > generation)) {
      visitRecords(disk, pathOf(directory, later), (bytes, start, end) => {
        journal.add(bytes, start, end);
        journal.write();
        visit(bytes, start, end);
      });
      disk.remove(pathOf(directory, later));
    }
    return journal;
  }

  readonly add: RecordVisitor = (bytes, start, end) => {
    const out = this.#out;
    const at = out.take(LENGTH + end - start);
    writeWord(out.bytes, at, end - start);
    out.bytes.set(bytes.subarray(start, end), at + LENGTH);
  };

  /** Writes what was added. */
  readonly write = (): void => {
    this.#out.flush();
  };

  /** What is added from now on comes after the checkpoint `generation`. */
  turn(generation: number): void {
    assert(this.#out.waiting === 0, 'all records are in a journal when the next one begins');
    const old = this.#out;
    this.#out = new FileAppender(this.#disk.open(pathOf(this.#directory, generation), 'create'), 0, BUFFER);
    old.close();
  }

  /** Nobody will go back to a checkpoint before `generation`. */
  confirm(generation: number): void {
    for (const each of generationsIn(this.#disk, this.#directory)) {
      if (each < generation) this.#disk.remove(pathOf(this.#directory, each));
    }
  }

  close(): void {
    this.#out.close();
  }
}

const pathOf = (directory: string, generation: number): string => join(directory, `journal-${generation}`);

function generationsIn(disk: Disk, directory: string): number[] {
  const numbers = disk.list(directory).map((name) => Number(NAME.exec(name)?.[1] ?? -1));
  return numbers.filter((number) => number >= 0).sort((a, b) => a - b);
}

/** Returns how many bytes the whole records take: the last may have been cut off, and is still in its ring then. */
function visitRecords(disk: Disk, path: string, visit: RecordVisitor): number {
  const file = disk.open(path, 'read');
  const bytes = new Uint8Array(READ_BYTES + LENGTH + MAX_RECORD);
  let position = 0;
  let at = 0;
  let end = 0;
  try {
    for (;;) {
      bytes.copyWithin(0, at, end);
      position += at;
      const read = file.read(bytes, end - at, bytes.length, position + end - at);
      end = end - at + read;
      at = 0;
      while (at + LENGTH <= end && at + LENGTH + readWord(bytes, at) <= end) {
        const start = at + LENGTH;
        at = start + readWord(bytes, at);
        visit(bytes, start, at);
      }
      if (read === 0) return position + at;
    }
  } finally {
    file.close();
  }
}
