/**
 * The one place that finds files which ship beside the code, so that the same code runs from `dist/` and from
 * inside one executable.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** The bytes of sax-wasm's module. */
export function saxWasmBytes(): Uint8Array {
  return readFileSync(require.resolve('sax-wasm/lib/sax-wasm.wasm'));
}

/** The file that an agent's thread starts from. */
export function agentThreadFile(): string {
  return fileURLToPath(new URL('../workers/agent-thread.js', import.meta.url));
}

/** The program and its first arguments that start another process of drumline. */
export function programCommand(): string[] {
  return isSea()
    ? [process.execPath]
    : [process.execPath, fileURLToPath(new URL('../main.js', import.meta.url))];
}
