import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { DigestDrum } from '#drumline/archive/digest-drum.js';
import { allocateDigestFilter, DigestFilter } from '#drumline/boards/digest-filter.js';
import { nodeDisk } from '#drumline/model/disk.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

const digestOf = (i: number): Uint8Array => createHash('sha1').update(`${i}`).digest();
const COUNT = 20_000;

test('what was added is never new again, and few others are taken for it', () => {
  const filter = new DigestFilter(allocateDigestFilter((COUNT * 12) / 8));
  let mistaken = 0;
  for (let i = 0; i < COUNT; i++) if (!filter.add(digestOf(i))) mistaken++;
  for (let i = 0; i < COUNT; i++) assert.ok(!filter.add(digestOf(i)), `${i}`);
  assert.ok(mistaken < COUNT / 50, `${mistaken} of ${COUNT}`);
});

test('a filter made of the keys of a DRUM has all its digests', (t) => {
  const directory = temporaryDirectory(t);
  const manifest = `${directory}/manifest`;
  const place = { agent: 1, serial: 2, offset: 3 };
  let drum = new DigestDrum(nodeDisk, `${directory}/drum`, 1 << 18, undefined);
  for (let i = 0; i < COUNT; i++) drum.note(digestOf(i), place);
  drum.save(manifest);
  drum.close();
  drum = new DigestDrum(nodeDisk, `${directory}/drum`, 1 << 18, manifest);
  const filter = new DigestFilter(allocateDigestFilter(COUNT * 4));
  drum.forEachKey((first, second) => filter.addKey(first, second));
  for (let i = 0; i < COUNT; i++) assert.ok(!filter.add(digestOf(i)), `${i}`);
  let isNew = 0;
  for (let i = COUNT; i < 2 * COUNT; i++) if (filter.add(digestOf(i))) isNew++;
  assert.ok(isNew > 0.98 * COUNT, `${isNew} of ${COUNT}`);
  assert.deepEqual(drum.find(digestOf(5), { agent: 0, serial: 0, offset: 9 }, null), place);
  drum.close();
});
