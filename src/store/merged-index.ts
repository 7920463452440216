/**
 * Keeps index.cdxj up to date with the agents' parts: what was added to them is sorted into it. How far each part is in
 * the index stands as JSON in a file beside, in bytes, and the CRC-32 of the index under `crc`. The
 * lines of the index are those of the parts, so it must have as many bytes as the file says, and that checksum; otherwise
 * a crash came between the two, or it was damaged, and all parts are merged anew.
 */
import { basename, dirname } from 'node:path';
import { type Disk, sizeOf } from '../model/disk.js';
import { DamagedFileError, DrumlineError } from '../model/errors.js';
import { sumOfWhole } from '../model/file-sum.js';
import { loadJson, saveJson } from '../model/json-file.js';
import { count, named } from '../model/shape.js';
import { type IndexPiece, mergeIndex } from './index-merge.js';

export interface MergedIndexFiles {
  readonly index: string;
  /** What of the parts is in it. */
  readonly merged: string;
}

/** The first `end` bytes of an agent's part. */
export type IndexedPart = Omit<IndexPiece, 'start'>;

type Merged = Readonly<Record<string, number>>;
const MERGED = named(count);

/** No part has such a name. */
const CRC = 'crc';

/** REQUIRES: what parts hold before their ends will never change. */
export function updateIndex(
  disk: Disk,
  files: MergedIndexFiles,
  parts: readonly IndexedPart[],
  memory: number,
): void {
  for (const { path, end } of parts) {
    const size = end === 0 ? 0 : sizeOf(disk, path);
    if (size < end) throw new DamagedFileError(path, size, `the checkpoint has ${end} bytes of it`);
  }
  if (!merge(disk, files, parts, memory)) return;
  const ends = parts.map(({ path, end }): [string, number] => [basename(path), end]);
  const merged = { ...Object.fromEntries(ends), [CRC]: sumOfWhole(disk, files.index) };
  disk.makeDirectory(dirname(files.merged));
  saveJson(disk, files.merged, MERGED, merged);
}

/** Merges the parts to their ends, where a crawl that is resumed may cut them off. */
export function completeIndex(
  disk: Disk,
  files: MergedIndexFiles,
  parts: readonly string[],
  memory: number,
): void {
  const whole = parts.map((path) => ({ path, end: sizeOf(disk, path) }));
  if (merge(disk, files, whole, memory)) disk.remove(files.merged);
}

/** REQUIRES: the index, if there is one, holds lines of the parts. Some of them may have been removed since it was whole. */
export function isIndexWhole(disk: Disk, index: string, parts: readonly string[]): boolean {
  return (
    disk.exists(index) && sizeOf(disk, index) >= parts.reduce((sum, path) => sum + sizeOf(disk, path), 0)
  );
}

/** False if there was nothing to do. */
function merge(
  disk: Disk,
  { index, merged }: MergedIndexFiles,
  parts: readonly IndexedPart[],
  memory: number,
): boolean {
  const before = readMerged(disk, merged);
  const starts = parts.map(({ path }) => before[basename(path)] ?? 0);
  const isAddition =
    disk.exists(index) &&
    parts.every(({ end }, i) => starts[i]! <= end) &&
    sizeOf(disk, index) === starts.reduce((sum, start) => sum + start, 0) &&
    sumOfWhole(disk, index) === before[CRC];
  const pieces = parts
    .map((part, i) => ({ ...part, start: isAddition ? starts[i]! : 0 }))
    .filter(({ start, end }) => start < end);
  if (isAddition && pieces.length === 0) return false;
  mergeIndex(disk, pieces, index, memory, isAddition);
  return true;
}

/** Nothing, if the file does not say: it is not needed. */
function readMerged(disk: Disk, path: string): Merged {
  if (!disk.exists(path)) return {};
  try {
    return loadJson(disk, path, MERGED);
  } catch (error) {
    if (error instanceof DrumlineError) return {};
    throw error;
  }
}
