/**
 * Marks what was logged after the checkpoint that a crawl goes on from: it is done again. Only what lies behind the
 * checkpoint is read and written. Marked lines are longer, so they go to a file beside first, and, when that is durable, to
 * their place in the part: whenever the process dies, one of the two has them whole.
 *
 * `crawl-0-3.log-part.behind` has, as its first line, where in the part the lines begin that follow.
 */
import { dirname } from 'node:path';
import type { Disk, DiskFile } from '../model/disk.js';
import { LineFile } from '../model/line-file.js';
import { LogLines } from './log-lines.js';

const MARK = ',"repeated":true}';
const BRACE = 0x7d;
const BUFFER_BYTES = 1 << 18;
/** No line that was written is longer. */
const LONGEST = 1 << 15;
/** The first line is shorter. */
const FIRST_LINE = 32;

/** Adds `"repeated":true` to the lines of a part that begin at `position` or behind it. */
export function markRepeated(disk: Disk, path: string, position: number): void {
  const behind = `${path}.behind`;
  if (disk.exists(behind)) putBack(disk, path, behind);
  if (writeMarked(disk, path, position, behind)) putBack(disk, path, behind);
}

/** Writes the lines from the first one on that is to be marked; false if there is none. */
function writeMarked(disk: Disk, path: string, position: number, behind: string): boolean {
  const lines = new LogLines(disk, path);
  const marked = Buffer.alloc(LONGEST + MARK.length);
  let target: LineFile | null = null;
  try {
    for (let found = lines.seek(position); found; found = lines.next()) {
      const { bytes, start, end } = lines;
      const takesMark = isUnmarked(bytes.subarray(start, end));
      if (target === null && !takesMark) continue;
      target ??= begin(disk, `${behind}.new`, lines.offset);
      if (!takesMark) target.add(bytes, start, end);
      else {
        const cut = bytes.copy(marked, 0, start, end - 1);
        target.add(marked, 0, cut + marked.write(MARK, cut, 'latin1'));
      }
    }
  } finally {
    lines.close();
    target?.close();
  }
  if (target === null) return false;
  disk.rename(`${behind}.new`, behind);
  disk.syncDirectory(dirname(path));
  return true;
}

/** A last brace is what every line ends with, unless it is damaged. */
const isUnmarked = (line: Buffer): boolean =>
  line.length <= LONGEST && line.at(-1) === BRACE && !line.includes(MARK);

function begin(disk: Disk, path: string, position: number): LineFile {
  disk.remove(path);
  const file = new LineFile(disk, path);
  const first = Buffer.from(`${position}`);
  file.add(first, 0, first.length);
  return file;
}

/** Puts the lines in their place. The file must not come back: the part goes on behind them. */
function putBack(disk: Disk, path: string, behind: string): void {
  const source = disk.open(behind, 'read');
  try {
    const part = disk.open(path, 'update');
    try {
      copyLines(source, part);
      part.sync();
    } finally {
      part.close();
    }
  } finally {
    source.close();
  }
  disk.remove(behind);
  disk.syncDirectory(dirname(path));
}

function copyLines(source: DiskFile, part: DiskFile): void {
  const buffer = Buffer.alloc(BUFFER_BYTES);
  const first = buffer.toString('latin1', 0, source.read(buffer, 0, FIRST_LINE, 0)).split('\n')[0]!;
  let to = Number(first);
  for (let from = first.length + 1; ; ) {
    const read = source.read(buffer, 0, BUFFER_BYTES, from);
    if (read === 0) break;
    part.write(buffer, 0, read, to);
    from += read;
    to += read;
  }
  part.truncate(to);
}
