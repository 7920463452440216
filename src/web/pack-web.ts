/**
 * Makes a DiskWWW from WARC files: responses in the order of the files, the first of every URL. A revisit that comes
 * before the record with its body, or whose body is not that of a packed page, waits, and gives way to a response for its
 * URL that comes meanwhile: the files are read a second time, which finds the body, and a third time if it came behind the
 * revisit. Memory: one page, at most 76 bytes a URL (0.6 GB
 * for 8 million pages), as the index is sorted in memory, and 56 a body that is waited for.
 */
import { type Disk, nodeDisk } from '../model/disk.js';
import { DrumlineError, oneLine, UsageError } from '../model/errors.js';
import { type WarcRecord, warcRecords } from '../store/warc-reader.js';
import { DiskWebPaths } from './disk-format.js';
import { Packer } from './packer.js';
import { readPage } from './warc-page.js';

export interface PackOptions {
  /** Pages of a site are all in one dump; several dumps can be put on several disks. */
  readonly dumps?: number;
  readonly disk?: Disk;
  /** A record that could not be read, and was left out. */
  readonly onDamage?: (file: string, offset: number, what: string) => void;
}

export interface PackCounts {
  readonly pages: number;
  readonly sites: number;
  /** Of bodies, decoded. */
  readonly bytes: number;
  /** Responses for a URL that an earlier record had. */
  readonly duplicates: number;
  /** Records that are no HTTP responses. */
  readonly skipped: number;
  readonly damaged: number;
}

const MOST_DUMPS = 999;

export function packWeb(files: readonly string[], out: string, options: PackOptions = {}): PackCounts {
  const { dumps = 1, disk = nodeDisk, onDamage = () => {} } = options;
  if (!Number.isInteger(dumps) || dumps < 1 || dumps > MOST_DUMPS) {
    throw new UsageError(`--dumps is '${dumps}'; it takes a whole number between 1 and ${MOST_DUMPS}`);
  }
  if (!isEmpty(disk, out))
    throw new UsageError(`--out is '${out}', which holds something; it takes a new directory`);
  for (const path of files) checkInput(disk, path);
  disk.makeDirectory(out);
  const counts = { duplicates: 0, skipped: 0, damaged: 0 };
  const packer = new Packer(disk, new DiskWebPaths(out), dumps);
  let waiting = 0;
  const damage = (path: string, offset: number, what: string): void => {
    counts.damaged++;
    onDamage(path, offset, what);
  };
  try {
    for (const path of files) {
      const report = (offset: number, what: string): void => damage(path, offset, what);
      forEachRecord(disk, path, report, (record) => {
        const page = readPage(record);
        if (page === null) counts.skipped++;
        else if (typeof page === 'string') report(record.offset, page);
        else {
          const outcome = packer.add(page);
          if (outcome === 'known') counts.duplicates++;
          else if (outcome === 'no-body') waiting++;
        }
      });
    }
    for (const isLast of [false, true]) {
      const before = waiting;
      waiting = 0;
      for (const path of before === 0 ? [] : files) {
        forEachRecord(disk, path, ignore, (record) => {
          if (!isLast) packer.offer(record);
          if (record.headers.get('warc-type') !== 'revisit') return;
          const page = readPage(record);
          if (page === null || typeof page === 'string' || packer.add(page) !== 'no-body') return;
          if (isLast) damage(path, record.offset, 'the record that it refers to is not there');
          else waiting++;
        });
      }
    }
    if (packer.isEmpty) throw noPage(files.length, counts);
    return { ...packer.finish(), ...counts };
  } finally {
    packer.close();
    if (packer.isEmpty) packer.remove();
  }
}

/** A web without a page would fail only when it is crawled. */
function noPage(files: number, { damaged, skipped }: { damaged: number; skipped: number }): DrumlineError {
  const where = files === 1 ? 'the file' : `the ${files} files`;
  const what = `${damaged} damaged, ${skipped} other records`;
  return new DrumlineError(
    'NO_PAGE',
    `web pack: there is no HTTP response in ${where} (${what}); nothing is packed`,
  );
}

function ignore(): void {}

function forEachRecord(
  disk: Disk,
  path: string,
  onDamage: (offset: number, what: string) => void,
  take: (record: WarcRecord) => void,
): void {
  const file = disk.open(path, 'read');
  try {
    for (const record of warcRecords(file, onDamage)) take(record);
  } finally {
    file.close();
  }
}

/** A file in the place of the directory holds something too. */
function isEmpty(disk: Disk, directory: string): boolean {
  try {
    return disk.list(directory).length === 0;
  } catch {
    return false;
  }
}

/** Nothing is started if one of the files can't be read. */
function checkInput(disk: Disk, path: string): void {
  try {
    const file = disk.open(path, 'read');
    try {
      file.read(new Uint8Array(1), 0, 1, 0);
    } finally {
      file.close();
    }
  } catch (error) {
    throw new UsageError(`web pack: can't read '${path}' (${oneLine(error)}); it takes WARC files`);
  }
}
