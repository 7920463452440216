/** The program's code as three scripts: what runs in the main thread, and the two that an agent's thread starts from. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

export interface Bundles {
  readonly main: string;
  readonly agentThread: string;
  /** Piscina's half of an agent's thread. */
  readonly worker: string;
}

/** From `dist/`, as `npm run build` leaves it. */
export async function makeBundles(root: string, scratch: string): Promise<Bundles> {
  const dist = join(root, 'dist');
  const piscina = dirname(require.resolve('piscina'));
  const bundles = {
    main: join(scratch, 'main.js'),
    agentThread: join(scratch, 'agent-thread.js'),
    worker: join(scratch, 'worker.js'),
  };
  const common: BuildOptions = {
    bundle: true,
    platform: 'node',
    // The main script of an executable is CommonJS.
    format: 'cjs',
    target: `node${process.versions.node}`,
    absWorkingDir: root,
    legalComments: 'inline',
    // Piscina asks for it only where threads are to be nice.
    external: ['@napi-rs/nice'],
    // `src/model/assets.ts` looks at it outside of the executable only.
    logOverride: { 'empty-import-meta': 'silent' },
    logLevel: 'warning',
  };
  await Promise.all([
    build({
      ...common,
      entryPoints: [join(dist, 'main.js')],
      outfile: bundles.main,
      plugins: [unpackedThreads(piscina, join(dist, 'model', 'assets.js'))],
    }),
    build({
      ...common,
      entryPoints: [join(dist, 'workers', 'agent-thread.js')],
      outfile: bundles.agentThread,
    }),
    build({ ...common, entryPoints: [join(piscina, 'worker.js')], outfile: bundles.worker }),
  ]);
  return bundles;
}

/** Piscina starts threads from `worker.js` in the directory of its own code: here, in that of the unpacked files. */
function unpackedThreads(piscina: string, assets: string): Plugin {
  const directory = `require('node:path').dirname(require(${JSON.stringify(assets)}).agentThreadFile())`;
  const ownFile = "(__dirname, 'worker.js')";
  return {
    name: 'unpacked-threads',
    setup: ({ onLoad }) => {
      onLoad({ filter: /piscina[\\/]dist[\\/]index\.js$/ }, ({ path }) => {
        const code = readFileSync(path, 'utf8');
        if (
          path !== join(piscina, 'index.js') ||
          code.split('__dirname').length !== 2 ||
          !code.includes(ownFile)
        )
          throw new Error(`${path} starts threads in a way that is not known here`);
        return { contents: code.replace('__dirname', directory) };
      });
    },
  };
}
