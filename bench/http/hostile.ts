/**
 * `hostile [seconds] [agents]`: pages that 50 honest hosts give alone, and beside hosts that drip, that ask for pauses, and
 * that have the worst robots.txt; the second should be at least 80% of the first. Alone is measured before and after.
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
const SERVER = fileURLToPath(new URL('hostile-process.js', import.meta.url));
const HONEST = [['honest', 50]] as const;
const HOSTILE = [
  ['drip', 40],
  ['pause', 256],
  ['rules', 1],
] as const;
const LEAST_SHARE = 0.8;

export async function run(args: string[]): Promise<void> {
  const [seconds = '25', agents = '1'] = args;
  const server = fork(SERVER);
  const directory = mkdtempSync(join(tmpdir(), 'drumline-hostile-'));
  try {
    const [port] = (await once(server, 'message')) as [number];
    let crawls = 0;
    const honestPages = async (...hosts: (readonly [name: string, count: number])[]): Promise<number> => {
      const seeds = hosts.flatMap(([name, count]) =>
        Array.from({ length: count }, (_, i) => `http://${name}-${i}.localhost:${port}/`),
      );
      await crawl(join(directory, String(crawls++)), seeds, seconds, agents);
      server.send('count');
      return ((await once(server, 'message')) as [number])[0];
    };
    const before = await honestPages(...HONEST);
    // Who comes first is served first: the worst order for the honest ones.
    const beside = await honestPages(...HOSTILE, ...HONEST);
    const after = await honestPages(...HONEST);
    const share = (2 * beside) / (before + after);
    process.stdout.write(
      `honest pages in ${seconds} s, ${agents} agents: alone ${before} and ${after}, beside hostile hosts ${beside}: ` +
        `${(100 * share).toFixed(0)}%, should be ${100 * LEAST_SHARE}%: ${share >= LEAST_SHARE ? 'within' : 'UNDER'}\n`,
    );
    if (share < LEAST_SHARE) process.exitCode = 1;
  } finally {
    server.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function crawl(path: string, seeds: readonly string[], seconds: string, agents: string): Promise<void> {
  const file = `${path}-seeds.txt`;
  writeFileSync(file, seeds.join('\n'));
  const options =
    `--contact mailto:bench@example.org --allow-private --host-delay 200ms --ip-delay 0s --store none --log off ` +
    `--memory 256MB --progress none --agents ${agents} --max-duration ${seconds}s`;
  const child = spawn(process.execPath, [MAIN, '--seeds', file, '--out', path, ...options.split(' ')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'close');
}
