/**
 * `npm run torture -- --kills 200 --pages 20000 --agents 4 --seed 1 --deaths 100 --faults 1000000 --damages 1000000 --races 200`: the
 * torture of the tests, with as many kills of crawls, deaths of agents, faults of the disk, damaged files and races of `resume` as one likes. The crawl whose disk fails is
 * so small that each of its changes can be tried.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const TESTS = [
  'run/torture',
  'run/agent-death',
  'run/disk-faults',
  'command/damaged-crawl',
  'command/resume-races',
].map((name) => fileURLToPath(new URL(`../../test/${name}.test.js`, import.meta.url)));

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
      deaths: { type: 'string', default: '100' },
      faults: { type: 'string', default: '1000000' },
      races: { type: 'string', default: '200' },
      damages: { type: 'string', default: '1000000' },
      'fault-pages': { type: 'string', default: '60' },
      'fault-interval': { type: 'string', default: '40' },
    },
  });
  const settings = Object.entries(values).map(([name, value]) => [
    `TORTURE_${name.toUpperCase().replace('-', '_')}`,
    value,
  ]);
  const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=1', ...TESTS], {
    stdio: 'inherit',
    env: { ...process.env, ...Object.fromEntries(settings) },
  });
  process.exitCode = status ?? 1;
}
