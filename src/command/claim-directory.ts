/** Makes a crawl's directory and takes it for this process alone. */
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CrawlDirectory } from '../model/crawl-directory.js';
import { nodeDisk } from '../model/disk.js';
import { oneLine, UsageError } from '../model/errors.js';
import { makeDirectories } from '../model/make-directories.js';

export interface ClaimedDirectory {
  readonly directory: CrawlDirectory;
  /** Leaves the disk as it was. */
  giveUp(): void;
}

/** `out` as the user gave it, or '' for one named after the time. Refuses a directory that holds another crawl. */
export function claimDirectory(out: string): ClaimedDirectory {
  if (out !== '') return claim(out) ?? refuse(out);
  const time = new Date()
    .toISOString()
    .replace(/[:.]/g, '-')
    .replace(/-\d+Z$/, '');
  for (let i = 1; ; i++) {
    const claimed = claim(`crawl-${time}${i === 1 ? '' : `-${i}`}`);
    if (claimed !== null) return claimed;
  }
}

function refuse(out: string): never {
  throw new UsageError(`--out takes a new directory, got '${out}', which holds another crawl`);
}

/** Null if the directory holds another crawl. */
function claim(out: string): ClaimedDirectory | null {
  const directory = new CrawlDirectory(resolve(out));
  if (directory.results.some(existsSync)) return null;
  try {
    const made = makeDirectories(directory.path);
    if (made !== undefined) nameDirectories(directory.path, made);
    // Of two that start at once, one makes this file.
    closeSync(openSync(directory.seeds, 'wx'));
    const giveUp = (): void => rmSync(made ?? directory.seeds, { recursive: true, force: true });
    return { directory, giveUp };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(directory.seeds)) return null;
    throw new UsageError(`--out takes a directory that can be written, got '${out}': ${oneLine(error)}`);
  }
}

/** Makes the names of the directories from `first` down to `path` durable. */
function nameDirectories(path: string, first: string): void {
  for (let at = path; ; at = dirname(at)) {
    nodeDisk.syncDirectory(dirname(at));
    if (at === resolve(first) || at === dirname(at)) return;
  }
}
