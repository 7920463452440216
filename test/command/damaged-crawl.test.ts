import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../web/temporary-directory.js';
import { filesOf, killedCrawl, resumeDamaged, WAYS } from './damaged-crawl.js';

/** How many are tried; all with `npm run torture`. */
const DAMAGES = Number(process.env['TORTURE_DAMAGES'] ?? 6);

test('a killed crawl whose files are damaged is refused in one line, or ends whole all the same', async (t) => {
  const killed = join(temporaryDirectory(t), 'crawl');
  await killedCrawl(killed);
  const all = filesOf(killed).flatMap((name) => WAYS.map((way) => ({ name, way })));
  const tries = Math.min(DAMAGES, all.length);
  const wrong: string[] = [];
  for (let i = 0; i < tries; i++) {
    const { name, way } = all[Math.floor(((i + 0.5) * all.length) / tries)]!;
    const found = resumeDamaged(killed, name, way);
    if (found) wrong.push(`${name}, ${way}: ${found}`);
  }
  process.stdout.write(`# ${tries} damages of ${all.length}, ${wrong.length} went wrong\n`);
  assert.deepEqual(wrong, []);
});
