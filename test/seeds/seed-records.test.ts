import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeKey } from '#drumline/model/key.js';
import { recordSiteHigh, recordSiteLow } from '#drumline/model/record.js';
import { SeedRecords } from '#drumline/seeds/seed-records.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

test('seeds of a crawl that began under another Node keep their sites, though the URL class here takes none', (t) => {
  const path = join(temporaryDirectory(t), 'seeds.txt');
  const hosts = ['xn--a', 'a..b', 'a.example', '[::1]'];
  writeFileSync(path, 'http://xn--a/\nhttps://a..b:8080/x\nhttp://a.example/?b:c/d\nhttp://[::1]:81/\n');
  const records = new SeedRecords(path);
  const key = new Uint32Array(2);
  for (const host of hosts) {
    const record = records.next();
    assert.ok(record !== null);
    writeKey(new TextEncoder().encode(host), key, 0);
    assert.deepEqual([recordSiteLow(record, 0), recordSiteHigh(record, 0)], [...key], host);
  }
  assert.equal(records.next(), null);
});
