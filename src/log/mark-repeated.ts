/** Marks what was logged after the checkpoint that a crawl goes on from: it is done again. */
import { dirname } from 'node:path';
import type { Disk } from '../model/disk.js';
import { LogLines } from './log-lines.js';

const MARK = Buffer.from(',"repeated":true}\n');
const BRACE = 0x7d;

/** Adds `"repeated":true` to the lines of a part that begin at `position` or behind it. */
export function markRepeated(disk: Disk, path: string, position: number): void {
  const lines = new LogLines(disk, path);
  const marked = `${path}.new`;
  const target = disk.open(marked, 'create');
  let written = 0;
  let isChanged = false;
  try {
    while (lines.next()) {
      const { bytes, start, end, offset } = lines;
      const isRepeated = offset >= position && !bytes.subarray(start, end).includes(',"repeated":true}');
      // A last brace is what every line ends with, unless it is damaged.
      const cut = isRepeated && bytes[end - 1] === BRACE ? end - 1 : end;
      target.write(bytes, start, cut, written);
      written += cut - start;
      const tail = cut < end ? MARK : MARK.subarray(-1);
      target.write(tail, 0, tail.length, written);
      written += tail.length;
      isChanged ||= cut < end;
    }
    target.sync();
  } finally {
    target.close();
    lines.close();
  }
  if (!isChanged) {
    disk.remove(marked);
    return;
  }
  disk.rename(marked, path);
  disk.syncDirectory(dirname(path));
}
