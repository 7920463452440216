/** `npm run torture -- --kills 200 --pages 20000 --agents 4 --seed 1`: the torture of the tests, with as many kills as one likes. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const TEST = fileURLToPath(new URL('../../test/workers/torture.test.js', import.meta.url));

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      kills: { type: 'string', default: '200' },
      pages: { type: 'string', default: '20000' },
      agents: { type: 'string', default: '4' },
      seed: { type: 'string', default: '1' },
      interval: { type: 'string', default: '1000' },
      longest: { type: 'string', default: '3000' },
    },
  });
  const settings = Object.entries(values).map(([name, value]) => [`TORTURE_${name.toUpperCase()}`, value]);
  const { status } = spawnSync(process.execPath, [TEST], {
    stdio: 'inherit',
    env: { ...process.env, ...Object.fromEntries(settings) },
  });
  process.exitCode = status ?? 1;
}
