/**
 * The one place that finds what ships beside the code, so that the same code runs from `dist/` and from inside one
 * executable, whose assets `packaging/assets.ts` puts there under the names used here.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { getAsset, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import { cacheDirectories, type PackedFile, UnpackedFiles } from './unpacked-files.js';

/** What is used of the native addon. */
export interface HashAddon {
  xxh64(bytes: Uint8Array, seed: bigint): bigint;
}

/** The bytes of sax-wasm's module. */
export function saxWasmBytes(): Uint8Array {
  if (isSea()) return new Uint8Array(getAsset('sax-wasm.wasm'));
  return readFileSync(createRequire(import.meta.url).resolve('sax-wasm/lib/sax-wasm.wasm'));
}

/** The bytes of the module that `src/parse/wasm` becomes. */
export function linkModuleBytes(): Uint8Array {
  if (isSea()) return new Uint8Array(getAsset('links.wasm'));
  return readFileSync(new URL('../parse/links.wasm', import.meta.url));
}

/** The file that an agent's thread starts from, as `packaging/threads.js` makes it. In the executable, Piscina's own file for threads lies beside it. */
export function agentThreadFile(): string {
  if (!isSea()) return fileURLToPath(new URL('../threads/agent-thread.js', import.meta.url));
  return unpackedFiles().find('agent-thread.js');
}

export function hashAddon(): HashAddon {
  if (!isSea()) return createRequire(import.meta.url)('@node-rs/xxhash') as HashAddon;
  return createRequire(process.execPath)(unpackedFiles().find('xxhash.node')) as HashAddon;
}

/** The text of package.json. */
export function packageText(): string {
  if (isSea()) return getAsset('package.json', 'utf8');
  return readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
}

let unpacked: UnpackedFiles | null = null;

/** Threads start from files, and the loader of the system takes native addons from files alone. */
function unpackedFiles(): UnpackedFiles {
  unpacked ??= new UnpackedFiles(
    JSON.parse(getAsset('unpacked.json', 'utf8')) as PackedFile[],
    (name) => new Uint8Array(getAsset(name)),
    cacheDirectories(process.env),
  );
  return unpacked;
}

/** The program and its first arguments that start another process of drumline. */
export function programCommand(): string[] {
  return isSea()
    ? [process.execPath]
    : [process.execPath, fileURLToPath(new URL('../main.js', import.meta.url))];
}
