/** `npm run package -- [--out FILE] [--addon PLATFORM] [--node FILE]`: drumline as one executable. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { formatBytes } from '#drumline/model/quantity.js';
import { collectAssets, thisPlatform } from './assets.js';
import { makeBundles } from './bundle.js';
import { makeBlob, makeExecutable } from './executable.js';

const root = resolve(dirname(fileURLToPath(import.meta.resolve('#drumline/main.js'))), '..');

const { values } = parseArgs({
  options: {
    out: {
      type: 'string',
      default: join(root, 'build', process.platform === 'win32' ? 'drumline.exe' : 'drumline'),
    },
    addon: { type: 'string', default: thisPlatform() },
    node: { type: 'string', default: process.execPath },
  },
});

const say = (what: string, figure: string): void => {
  process.stdout.write(`${what.padEnd(24)}${figure}\n`);
};

/** Runs a step and says how long it took. */
async function timed<T>(what: string, step: () => T | Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await step();
  say(what, `${((performance.now() - start) / 1000).toFixed(2)} s`);
  return result;
}

async function main(): Promise<void> {
  const isForHere = values.node === process.execPath && values.addon === thisPlatform();
  const scratch = mkdtempSync(join(tmpdir(), 'drumline-package-'));
  try {
    const out = resolve(values.out);
    const bundles = await timed('bundling', () => makeBundles(root, scratch));
    const assets = collectAssets(root, bundles, values.addon, scratch);
    const blob = await timed('compiling', () => makeBlob(bundles.main, assets, isForHere, scratch));
    mkdirSync(dirname(out), { recursive: true });
    await timed('putting into Node', () => makeExecutable(values.node, blob, out));
    if (isForHere) await timed('trying it', () => execFileSync(out, ['--version']));
    const size = (path: string): string => formatBytes(statSync(path).size);
    say('Node', `${process.version}, ${size(values.node)}`);
    say('code', size(bundles.main));
    for (const [name, path] of Object.entries(assets)) say(`  ${name}`, size(path));
    say('executable', `${size(out)}: ${out}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`package: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
