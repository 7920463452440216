/**
 * The manifest of a checkpoint: every file that it needs, in its own directory and outside. Written last.
 *
 * ```
 * drumline-files 1
 * whole 1832 9f0c1a22 checkpoint-00000007/agent-0.json     extent, bytes and CRC-32 of them, path in the crawl directory
 * begins 52133 00c0ffee crawl-0-0.log-part
 * holds 1048577 - work/agent-0/frontier-0.queue
 * end 9f0c1a22                                             CRC-32 of all lines before
 * ```
 */

import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { CrawlDirectory } from '../model/crawl-directory.js';
import { type Disk, readWhole, replaceFile } from '../model/disk.js';
import { DamagedFileError } from '../model/errors.js';
import { loadJson } from '../model/json-file.js';
import { fields, list, orElse } from '../model/shape.js';
import type { CheckpointFiles } from './checkpoint-files.js';
import { type Extent, NEEDED_FILE, type NeededFile, NeededFiles } from './needed-file.js';

const FORMAT = 'drumline-files 1\n';
const LINE = /^(whole|begins|holds) (\d+) ([0-9a-f]{8}|-) (.+)$/;
const END = /end ([0-9a-f]{8})\n$/;
/** Of a thread's part: the coordinator's needs no file outside. */
const PART = fields<{ readonly files: readonly NeededFile[] }>({ files: orElse(list(NEEDED_FILE), []) });
const END_BYTES = 'end 00000000\n'.length;

/** REQUIRES: the checkpoint's other files are there, and its JSON files say which files outside they need. */
export function writeManifest(disk: Disk, crawl: CrawlDirectory, files: CheckpointFiles): void {
  const needed = new NeededFiles(disk, crawl.path);
  const lines = [FORMAT];
  for (const name of disk.list(files.directory)) {
    const path = join(files.directory, name);
    lines.push(lineOf(needed.whole(path)));
    if (name.endsWith('.json')) for (const file of filesOutside(disk, path)) lines.push(lineOf(file));
  }
  const text = lines.join('');
  replaceFile(disk, files.manifest, `${text}end ${checksum(text)}\n`);
}

export function readManifest(disk: Disk, files: CheckpointFiles): NeededFile[] {
  const path = files.manifest;
  if (!disk.exists(path)) throw new DamagedFileError(path, 0, 'it is gone');
  const text = Buffer.from(readWhole(disk, path)).toString('latin1');
  const end = Math.max(0, text.length - END_BYTES);
  const lines = text.slice(0, end);
  if (END.exec(text.slice(end))?.[1] !== checksum(lines) || !lines.startsWith(FORMAT))
    throw new DamagedFileError(path, 0, 'its checksum');
  return lines
    .slice(FORMAT.length)
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [, extent, bytes, crc, name] = LINE.exec(line) ?? [];
      if (name === undefined) throw new DamagedFileError(path, 0, `the line '${line}'`);
      const sum = crc === '-' ? 0 : Number.parseInt(crc!, 16);
      return { path: name, extent: extent as Extent, bytes: Number(bytes), crc: sum };
    });
}

/** What a thread's part says that it needs beside what is in the checkpoint's directory. */
function filesOutside(disk: Disk, path: string): readonly NeededFile[] {
  return loadJson(disk, path, PART).files;
}

function lineOf({ path, extent, bytes, crc }: NeededFile): string {
  return `${extent} ${bytes} ${extent === 'holds' ? '-' : hex(crc)} ${path}\n`;
}

const hex = (sum: number): string => sum.toString(16).padStart(8, '0');
const checksum = (text: string): string => hex(crc32(Buffer.from(text, 'latin1')));
