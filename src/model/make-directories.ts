/**
 * Makes a directory with those above it. Node's own `recursive` never ends where the system says ENOENT though the parent is
 * there, as under /proc and behind a link to nowhere.
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Returns the first one that had to be made; undefined if the directory was there. */
export function makeDirectories(path: string, mode = 0o777): string | undefined {
  try {
    return makeOne(path, mode);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    const above = makeDirectories(parent, mode);
    const made = makeOne(path, mode);
    return above ?? made;
  }
}

/** Undefined if it was there, or somebody else made it meanwhile. */
function makeOne(path: string, mode: number): string | undefined {
  try {
    mkdirSync(path, { mode });
    return path;
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return undefined;
    throw error;
  }
}
