/** What is outside comes from the world (`src/model/world.ts`): only the shells named here ask the system themselves. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SRC = join(dirname(fileURLToPath(import.meta.resolve('#drumline/main.js'))), '..', 'src');
/** Rooms of commands and evaluations, which no crawl runs in, and the simulator, which makes the world up. */
const SHELLS = ['command/', 'evaluate/', 'monitor/', 'simulate/', 'main.ts', 'workers/'];

/** Each with the files beside the shells that may: what they do with it is said there. */
const OUTSIDE: readonly (readonly [what: string, pattern: RegExp, files: readonly string[]])[] = [
  [
    'a clock',
    /\b(sharedClock|monotonicClock|performance\.now|process\.hrtime|Date\.now)\b/,
    [
      'model/clock.ts',
      'throttle/shared-clock.ts',
      // Where the time went: measured, and nothing is decided by it.
      'model/counters.ts',
      'agent/run-agent.ts',
      // The live Web's own.
      'web/http/http-exchange.ts',
      'web/http/http-fetcher.ts',
      // Waits for another thread's files.
      'boards/store-board.ts',
    ],
  ],
  [
    'a timer',
    /\b(setTimeout|setInterval|setImmediate|node:timers)\b/,
    [
      'ring/doorbell.ts',
      'ring/timer.ts',
      'web/http/body-memory.ts',
      'web/http/connector.ts',
      'web/http/http-fetcher.ts',
    ],
  ],
  [
    'a wait of the thread',
    /\bAtomics\.wait(Async)?\b/,
    ['ring/doorbell.ts', 'boards/store-board.ts', 'archive/digest-asker.ts', 'archive/digest-counter.ts'],
  ],
  [
    'the file system',
    /\bnode:fs\b/,
    [
      'model/assets.ts',
      'model/disk.ts',
      'model/make-directories.ts',
      'model/unpacked-files.ts',
      'checkpoint/crawl-lock.ts',
      'seeds/read-seeds.ts',
    ],
  ],
  [
    'the real disk',
    /\bnodeDisk\b/,
    [
      'model/disk.ts',
      'model/faults.ts',
      'drum/drum.ts',
      'seeds/seed-file.ts',
      'web/open-web.ts',
      'web/pack-web.ts',
    ],
  ],
  [
    'randomness',
    /\b(Math\.random|randomBytes|randomFill|randomUUID|getRandomValues)\b/,
    [
      'checkpoint/crawl-lock.ts',
      // Where keys lie in tables in memory, which nothing else depends on.
      'model/key-hash.ts',
      'robots/origin-table.ts',
      'model/unpacked-files.ts',
      'store/warc-record.ts',
      'web/http/name-resolver.ts',
    ],
  ],
  ['the process', /\bprocess\.(on|once|exit|kill|cpuUsage|resourceUsage)\b/, ['checkpoint/crawl-lock.ts']],
];

/** Comments may speak of what code may not use. */
const codeOf = (path: string): string =>
  readFileSync(path, 'utf8')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\/\/.*$/gm, '');

const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name));

for (const [what, pattern, allowed] of OUTSIDE) {
  test(`${what} is had from the world, but by shells`, () => {
    const users = files
      .filter((path) => pattern.test(codeOf(path)))
      .map((path) => relative(SRC, path))
      .filter((path) => !SHELLS.some((shell) => path.startsWith(shell)));
    assert.deepEqual(users.sort(), users.filter((path) => allowed.includes(path)).sort());
    // A name that is not needed any more goes.
    assert.deepEqual(
      allowed.filter((path) => !users.includes(path)),
      [],
    );
  });
}
