/**
 * The code of an agent's thread as few files, in `dist/threads`: every thread loads it anew, and most of the time that
 * took went into finding and opening 150 modules. `npm run build` runs this after the compiler, on what that left in
 * `dist/`; so it is plain JavaScript.
 */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

// The names of its files change with their content.
rmSync(new URL('../dist/threads', import.meta.url), { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: ['dist/workers/agent-thread.js'],
  // As deep as the modules it is made of: they find what ships with them by paths relative to their own.
  outdir: 'dist/threads',
  bundle: true,
  // What is imported on demand, as the code for the live Web, stays in files of its own.
  splitting: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  logLevel: 'warning',
});
