/**
 * Does a queue on disk hold a URL? Looks for its bytes, and then for its key in the header before them. A crawl that runs
 * may have removed the queue meanwhile.
 */
import type { Disk, DiskFile } from '../model/disk.js';
import { writeKey } from '../model/key.js';
import {
  LEFT_OUT,
  MAX_RECORD,
  RECORD_HEADER,
  recordKeyHigh,
  recordKeyLow,
  recordType,
} from '../model/record.js';

const CHUNK_BYTES = 1 << 20;

export function queueHolds(disk: Disk, path: string, url: string): boolean {
  const wanted = Buffer.from(url);
  const key = new Uint32Array(2);
  writeKey(wanted, key, 0);
  const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  const file = openIfThere(disk, path);
  if (file === null) return false;
  try {
    // Chunks overlap by a record, so that each record is whole in one of them.
    for (let position = 0; ; position += CHUNK_BYTES - MAX_RECORD) {
      const length = file.read(chunk, 0, CHUNK_BYTES, position);
      const bytes = chunk.subarray(0, length);
      for (let at = bytes.indexOf(wanted, RECORD_HEADER); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
        const record = at - RECORD_HEADER;
        // What is on its way to the log only waits for no visit.
        if (recordType(bytes, record) === LEFT_OUT) continue;
        if (recordKeyLow(bytes, record) === key[0] && recordKeyHigh(bytes, record) === key[1]) return true;
      }
      if (length < CHUNK_BYTES) return false;
    }
  } finally {
    file.close();
  }
}

function openIfThere(disk: Disk, path: string): DiskFile | null {
  try {
    return disk.open(path, 'read');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
