/** Node's own executable with a script and assets inside: a single executable application. */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { Assets } from './assets.js';

/** By these, Node finds what was put into its executable. */
const RESOURCE = 'NODE_SEA_BLOB';
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const SEGMENT = 'NODE_SEA';

/** Script and assets as one file. Compiled code goes with the Node that compiled it: `isForThisNode` puts it in. */
export function makeBlob(main: string, assets: Assets, isForThisNode: boolean, scratch: string): string {
  const config = join(scratch, 'sea.json');
  const output = join(scratch, 'sea.blob');
  writeFileSync(
    config,
    JSON.stringify({
      // Node keeps this path in the file: it says nothing of the machine.
      main: relative(scratch, main),
      output,
      assets,
      disableExperimentalSEAWarning: true,
      useCodeCache: isForThisNode,
    }),
  );
  quietly(scratch, process.execPath, '--experimental-sea-config', config);
  return output;
}

/** Writes `out` beside itself first: an executable that runs can't be written to. */
export function makeExecutable(node: string, blob: string, out: string): void {
  const unfinished = `${out}.new`;
  const place = dirname(out);
  copyFileSync(node, unfinished);
  chmodSync(unfinished, 0o755);
  const isMac = process.platform === 'darwin';
  if (isMac) quietly(place, 'codesign', '--remove-signature', unfinished);
  const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js');
  const segment = isMac ? ['--macho-segment-name', SEGMENT] : [];
  quietly(place, process.execPath, postject, unfinished, RESOURCE, blob, '--sentinel-fuse', FUSE, ...segment);
  if (isMac) quietly(place, 'codesign', '--sign', '-', unfinished);
  renameSync(unfinished, out);
}

/** What a program says is shown if it fails. */
function quietly(cwd: string, program: string, ...words: string[]): void {
  execFileSync(program, words, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
}
