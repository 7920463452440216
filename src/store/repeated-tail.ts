/**
 * What an agent stored since a checkpoint, and died over. Its pages are fetched once more, but other agents may have
 * referred to the bodies that are there: so the responses with a body stay, in the files and in the index.
 */
import type { Disk } from '../model/disk.js';
import { cdxjLine, mediaType } from './cdxj.js';
import { lineEnd, readHeaders } from './header-lines.js';
import type { IndexPart } from './index-part.js';
import type { StoreCounts, StoredPlace, StoreState } from './page-store.js';
import type { WarcFiles } from './warc-files.js';
import { type WarcRecord, warcRecords } from './warc-reader.js';

type Position = Pick<StoredPlace, 'serial' | 'offset'>;

/** How far an agent's files were at a checkpoint. */
export interface SavedPosition extends Position {
  readonly generation: number;
  readonly counts: StoreCounts;
}

export interface TailStart extends Position {
  /**
   * The agent had written its part of a later checkpoint, which is to be the same when it is written again: others have
   * theirs from then.
   */
  readonly saved: SavedPosition | null;
}

export class RepeatedTail {
  readonly #saved: { readonly generation: number; readonly state: StoreState } | null;
  /** Of its files, by serial. */
  readonly #names = new Map<number, string>();

  /** Adds the lines of what stays to the index, which is that of the checkpoint. `end` is where the files go on. */
  constructor(disk: Disk, files: WarcFiles, index: IndexPart, { saved, ...start }: TailStart, end: Position) {
    const listed = disk.list(files.directory);
    for (let { serial } = start; serial <= end.serial; serial++) {
      const name = files.nameOf(listed, files.agent, serial);
      if (name !== undefined) this.#names.set(serial, name);
    }
    this.#addLines(disk, files, index, start, saved ?? end);
    if (saved === null) this.#saved = null;
    else {
      const { generation, serial, offset, counts } = saved;
      const file = this.#names.get(serial) ?? files.name(serial);
      this.#saved = { generation, state: { file, serial, offset, index: index.size, counts } };
      this.#addLines(disk, files, index, saved, end);
    }
  }

  /** What the agent saved for a checkpoint before it died; null if it did not come to that. */
  savedFor(generation: number): StoreState | null {
    return this.#saved?.generation === generation ? this.#saved.state : null;
  }

  #addLines(disk: Disk, files: WarcFiles, index: IndexPart, from: Position, to: Position): void {
    for (const [serial, name] of this.#names) {
      if (serial < from.serial || serial > to.serial) continue;
      const isOpen = disk.exists(files.openPath(name));
      const file = disk.open(isOpen ? files.openPath(name) : files.path(name), 'read');
      try {
        const start = serial === from.serial ? from.offset : 0;
        for (const record of warcRecords(file, () => {}, start)) {
          if (!isBefore({ serial, offset: record.offset }, to)) break;
          const line = lineOf(record, name);
          if (line !== null) index.add(line);
          if (index.isFull) index.flush();
        }
      } finally {
        file.close();
      }
    }
  }
}

const isBefore = (a: Position, b: Position): boolean =>
  a.serial < b.serial || (a.serial === b.serial && a.offset < b.offset);

/** Null if it is no response with a body. */
function lineOf({ headers, block, offset, length }: WarcRecord, file: string): string | null {
  if (headers.get('warc-type') !== 'response') return null;
  const statusEnd = lineEnd(block, 0);
  const http = readHeaders(block, statusEnd);
  if (http === null || http.end === block.length) return null;
  const status = Buffer.from(block.subarray(0, statusEnd)).toString('latin1').split(' ')[1];
  return cdxjLine({
    url: headers.get('warc-target-uri')!,
    date: headers.get('warc-date')!,
    mime: mediaType(http.headers.get('content-type') ?? ''),
    status: Number(status),
    digest: headers.get('warc-payload-digest')!.slice('sha1:'.length),
    length,
    offset,
    file,
  });
}
