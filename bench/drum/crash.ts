/** `drum-crash [--kills 200]`: the crash test of the tests, with as many kills as one likes. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const TEST = fileURLToPath(new URL('../../test/drum/crash.test.js', import.meta.url));

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { kills: { type: 'string', default: '200' } } });
  const { status } = spawnSync(process.execPath, ['--test', '--test-reporter=spec', TEST], {
    stdio: 'inherit',
    env: { ...process.env, DRUM_KILLS: values.kills },
  });
  process.exitCode = status ?? 1;
}
