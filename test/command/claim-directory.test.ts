import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { claimDirectory } from '#drumline/command/claim-directory.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

test('what is left of a crawl is not written over, whatever was tidied up', (t) => {
  const out = temporaryDirectory(t);
  const files = [
    'index.cdxj',
    'options.json',
    'pages.txt',
    'crawl.log',
    'report.json',
    'seeds.txt',
    'CURRENT',
  ];
  for (const name of [...files, 'warc', 'work']) {
    const path = join(out, name);
    if (files.includes(name)) writeFileSync(path, '');
    else mkdirSync(path);
    assert.throws(() => claimDirectory(out), /holds another crawl$/, name);
    rmSync(path, { recursive: true });
  }
  writeFileSync(join(out, 'notes.txt'), 'of somebody');
  const { directory, giveUp } = claimDirectory(out);
  assert.throws(() => claimDirectory(out), /holds another crawl$/, 'taken');
  giveUp();
  assert.ok(!existsSync(directory.seeds));
  assert.ok(existsSync(join(out, 'notes.txt')));
});
