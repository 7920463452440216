/** State that is kept as JSON: one codec for all of it. */
import { type Disk, readWhole, replaceFile } from './disk.js';
import { DamagedFileError } from './errors.js';

/** Writes a JSON file durably. */
export function saveJson(disk: Disk, path: string, value: unknown): void {
  replaceFile(disk, path, `${JSON.stringify(value)}\n`);
}

export function loadJson<T>(disk: Disk, path: string): T {
  try {
    return JSON.parse(new TextDecoder().decode(readWhole(disk, path))) as T;
  } catch (error) {
    if (error instanceof SyntaxError) throw new DamagedFileError(path, 0, 'no JSON');
    throw error;
  }
}
