/** The pages of a corpus: every file of a folder, or of the tar archive made of one. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface CorpusFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Files whose names end in `suffix`, in the order of their names. */
export function readCorpus(path: string | undefined, suffix: string): CorpusFile[] {
  if (path === undefined) throw new Error('give the path of the corpus, a folder or a .tgz');
  if (statSync(path).isDirectory()) return readFolder(path, suffix);
  const folder = mkdtempSync(join(tmpdir(), 'drumline-corpus-'));
  try {
    execFileSync('tar', ['xzf', path, '-C', folder]);
    return readFolder(folder, suffix);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readFolder(folder: string, suffix: string): CorpusFile[] {
  const names = (readdirSync(folder, { recursive: true }) as string[]).filter((name) =>
    name.endsWith(suffix),
  );
  return names.sort().map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(folder, name))) }));
}
