/**
 * `src/parse/wasm`, which is AssemblyScript, as WebAssembly in `dist/parse`. `npm run build` runs this; it is plain
 * JavaScript, as `threads.js` is. Nothing is done if what is there is newer than all that it is made of.
 */
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = 'src/parse/wasm';
/** Constants that the module shares with the code around it. */
const shared = ['src/parse/byte-values.ts', 'src/parse/link-kinds.ts', 'packaging/wasm.js'];
const out = 'dist/parse/links.wasm';

const changed = (/** @type {string} */ path) =>
  statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const files = readdirSync(join(root, source)).map((name) => `${source}/${name}`);
if (Math.max(...[...files, ...shared].map(changed)) > changed(out)) await compile();

async function compile() {
  const { default: compiler } = await import('assemblyscript/asc').catch(() => {
    throw new Error('assemblyscript is missing: npm ci');
  });
  mkdirSync(join(root, 'dist/parse'), { recursive: true });
  const options = ['-O3', '--runtime', 'stub', '--enable', 'simd', '--noAssert', '--use', 'abort='];
  // 1 GB: no page takes as much, and one that would is given up.
  const memory = ['--maximumMemory', '16384'];
  // Vectors are passed between the module's own functions alone, and its memory has 32-bit addresses.
  const quiet = ['--disableWarning', '112', '--disableWarning', '201'];
  const { error, stderr } = await compiler.main([
    `${source}/index.ts`,
    ...options,
    ...memory,
    ...quiet,
    '--baseDir',
    root,
    '-o',
    out,
  ]);
  if (error === null) return;
  process.stderr.write(`${stderr.toString()}\n`);
  process.exitCode = 1;
}
