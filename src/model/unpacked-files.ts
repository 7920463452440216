/**
 * Files that must lie on disk to be loaded, unpacked once per version of the executable into a private directory:
 *
 *   <cache>/<digest of all files>/<name>
 *
 * 1. The directories are the user's own and closed to others (0700), or they are not used.
 * 2. A file appears under its name by rename, whole: of two processes that unpack at once, either may come last.
 * 3. A file is used only after its bytes were found to have their hash; else it is replaced.
 */
import { chmodSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { DrumlineError, oneLine } from './errors.js';
import { makeDirectories } from './make-directories.js';

export interface PackedFile {
  readonly name: string;
  /** SHA-256 of its bytes, in hexadecimal digits. */
  readonly hash: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const PRIVATE = 0o700;
const OTHERS = 0o077;

export function sha256(bytes: Uint8Array | string): string {
  // Loaded here: threads that unpack nothing start without it.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(bytes).digest('hex');
}

/** Where files may be unpacked, the best first. */
export function cacheDirectories({ XDG_CACHE_HOME = '', HOME = '' }: Environment): string[] {
  const user = process.getuid?.() ?? 'user';
  return [
    ...(isAbsolute(XDG_CACHE_HOME) ? [join(XDG_CACHE_HOME, 'drumline')] : []),
    ...(isAbsolute(HOME) ? [join(HOME, '.cache', 'drumline')] : []),
    join(tmpdir(), `drumline-${user}`),
  ];
}

export class UnpackedFiles {
  readonly #files: readonly PackedFile[];
  readonly #read: (name: string) => Uint8Array;
  readonly #caches: readonly string[];
  readonly #digest: string;
  #directory = '';

  /** `read` gives the bytes of a file by its name; `caches` are tried in turn. */
  constructor(files: readonly PackedFile[], read: (name: string) => Uint8Array, caches: readonly string[]) {
    this.#files = files;
    this.#read = read;
    this.#caches = caches;
    this.#digest = sha256(JSON.stringify(files)).slice(0, 32);
  }

  /** The path of a file. All files are in its directory then, with the right bytes. */
  find(name: string): string {
    if (this.#directory === '') this.#directory = this.#unpackAll();
    return join(this.#directory, name);
  }

  #unpackAll(): string {
    const refused: string[] = [];
    for (const cache of this.#caches) {
      const directory = join(cache, this.#digest);
      try {
        makePrivate(cache);
        makePrivate(directory);
        for (const file of this.#files) this.#unpack(file, directory);
        return directory;
      } catch (error) {
        refused.push(oneLine(error));
      }
    }
    throw new DrumlineError(
      'NO_CACHE',
      `files have to be unpacked, and no directory takes them; set XDG_CACHE_HOME to one that can be written (tried: ${refused.join('; ')})`,
    );
  }

  #unpack({ name, hash }: PackedFile, directory: string): void {
    const path = join(directory, name);
    if (hashOf(path) === hash) return;
    const unfinished = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}`;
    try {
      writeFileSync(unfinished, this.#read(name), { flag: 'wx', mode: PRIVATE });
      renameSync(unfinished, path);
    } catch (error) {
      rmSync(unfinished, { force: true });
      throw error;
    }
    if (hashOf(path) !== hash) throw new Error(`${path} does not keep what is written to it`);
  }
}

function hashOf(path: string): string | null {
  try {
    return lstatSync(path).isFile() ? sha256(readFileSync(path)) : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Throws if it can't be made, or is not the user's own. */
function makePrivate(directory: string): void {
  makeDirectories(directory, PRIVATE);
  // Where there are no user numbers, the directories of users are closed by themselves.
  if (process.getuid === undefined) return;
  const stat = lstatSync(directory);
  if (!stat.isDirectory() || stat.uid !== process.getuid())
    throw new Error(`${directory} belongs to somebody else`);
  if ((stat.mode & OTHERS) !== 0) chmodSync(directory, PRIVATE);
}
