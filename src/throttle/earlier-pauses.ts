/**
 * Pauses that were granted before the process that crawls now: read once from what all agents of the last one left
 * (`pause-file.ts`), and kept in one file, for hosts may be other agents' now.
 */
import { join } from 'node:path';
import type { Disk } from '../model/disk.js';
import { GRANTED, LONGEST, PauseFile, readPauses, TAKEN } from './pause-file.js';

/** Pauses longer than this have entries of their own in the file; so do those longer than `--host-delay`. */
const LONG_MS = 10_000;

export const longPause = (hostDelay: number): number => Math.max(LONG_MS, hostDelay);

const NAME = 'earlier';

export const pauseFilePath = (directory: string, agent: number): string => join(directory, `agent-${agent}`);
export const earlierPausesPath = (directory: string): string => join(directory, NAME);

/**
 * Gathers the pauses in a directory of pause files; nobody else uses it yet. Returns the longest of those that are not
 * in a file, -1 if there is no file.
 */
export function gatherPauses(disk: Disk, directory: string, wallNow: number): number {
  const names = disk.list(directory).filter((name) => !name.endsWith('.new'));
  if (names.length === 0) return -1;
  const path = earlierPausesPath(directory);
  const temporary = `${path}.new`;
  disk.remove(temporary);
  const gathered = new PauseFile(disk, temporary);
  let longest = 0;
  for (const name of names) {
    readPauses(disk, join(directory, name), (entry) => {
      if (entry.kind === LONGEST) longest = Math.max(longest, entry.pause);
      else if (entry.until > wallNow) {
        // Its request, if one was under way, ended with the process.
        if (entry.kind === TAKEN) entry.until = wallNow + entry.pause;
        entry.kind = GRANTED;
        gathered.add(entry, wallNow);
      }
    });
  }
  if (longest > 0) gathered.addShort(longest, longest);
  gathered.close();
  disk.rename(temporary, path);
  for (const name of names) if (name !== NAME) disk.remove(join(directory, name));
  return longest;
}

/** Visits what is granted in a file if it is there: the host, and the milliseconds that it rests from now on. */
export function forEachRest(
  disk: Disk,
  path: string,
  wallNow: number,
  visit: (low: number, high: number, rest: number) => void,
): void {
  if (!disk.exists(path)) return;
  readPauses(disk, path, ({ low, high, until, pause, kind }) => {
    // A clock that was put back must not make it longer.
    if (kind === GRANTED && until > wallNow) visit(low, high, Math.min(pause, until - wallNow));
  });
}
