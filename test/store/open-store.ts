/** Stores in a directory of their own, and what their files hold. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allocateStoreBoard, StoreBoard } from '#drumline/boards/store-board.js';
import { type Disk, nodeDisk } from '#drumline/model/disk.js';
import { WarcFiles } from '#drumline/store/warc-files.js';
import { type WarcRecord, warcRecords } from '#drumline/store/warc-reader.js';
import { WarcStore, type WarcStoreOptions } from '#drumline/store/warc-store.js';
import { DigestMap } from './exchanges.js';

export const filesIn = (directory: string, started = Date.UTC(2030, 0, 2)): WarcFiles =>
  new WarcFiles(join(directory, 'warc'), 3, started);

export function openStore(directory: string, more: Partial<WarcStoreOptions> = {}): WarcStore {
  mkdirSync(directory, { recursive: true });
  return new WarcStore({
    disk: nodeDisk,
    files: filesIn(directory),
    indexPart: join(directory, 'index-3.cdxj-part'),
    maxBytes: 1e9,
    level: 3,
    digests: new DigestMap(),
    written: new StoreBoard(allocateStoreBoard(4), 3),
    info: { software: 'tested/1', robots: 'obey' },
    requestHeaders: ['user-agent', 'tested/1', 'accept', 'text/html'],
    ...more,
  });
}

export interface ReadFile {
  readonly name: string;
  readonly records: WarcRecord[];
  readonly damages: [offset: number, what: string][];
}

/** The records of every file, in the order of their names. */
export function readFiles(directory: string, disk: Disk = nodeDisk): ReadFile[] {
  const folder = join(directory, 'warc');
  return readdirSync(folder)
    .sort()
    .map((name) => readFile(join(folder, name), disk));
}

export function readFile(path: string, disk: Disk = nodeDisk): ReadFile {
  const damages: [number, string][] = [];
  const file = disk.open(path, 'read');
  try {
    const records = Array.from(warcRecords(file, (offset, what) => damages.push([offset, what])));
    // A block is a view of a buffer that the reader may use again.
    const kept = records.map((record) => ({ ...record, block: Buffer.from(record.block) }));
    return { name: path.slice(path.lastIndexOf('/') + 1), records: kept, damages };
  } finally {
    file.close();
  }
}

export const indexLines = (directory: string): string[] =>
  readFileSync(join(directory, 'index-3.cdxj-part'), 'latin1').split('\n').filter(Boolean);
