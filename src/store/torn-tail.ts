/** Cuts off what a crash left of the last record of a file. */
import type { Disk } from '../model/disk.js';
import { warcRecords } from './warc-reader.js';

export interface CutTail {
  /** Where the last whole record ends. */
  readonly offset: number;
  /** Bytes that were behind it. */
  readonly bytes: number;
}

export function cutTornTail(disk: Disk, path: string): CutTail {
  const file = disk.open(path, 'update');
  try {
    let offset = 0;
    for (const record of warcRecords(file, () => {})) offset = record.offset + record.length;
    const bytes = file.size() - offset;
    if (bytes > 0) {
      file.truncate(offset);
      file.sync();
    }
    return { offset, bytes };
  } finally {
    file.close();
  }
}
