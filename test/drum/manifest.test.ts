import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Manifest, readManifest, writeManifest } from '#drumline/drum/manifest.js';
import { DamagedFileError } from '#drumline/model/errors.js';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';

const PATH = '/drum/CURRENT';
const MANIFEST: Manifest = {
  valueBytes: 4,
  nextRun: 12,
  runs: [
    { number: 3, bytes: 1_056_872, keys: 130_422 },
    { number: 11, bytes: 4152, keys: 7 },
  ],
};

test('reads what was written', () => {
  const disk = new MemoryDisk();
  assert.equal(readManifest(disk, PATH), null);
  writeManifest(disk, PATH, MANIFEST);
  assert.deepEqual(readManifest(disk, PATH), MANIFEST);
});

test('every truncation and every flipped bit is found', () => {
  const disk = new MemoryDisk();
  writeManifest(disk, PATH, MANIFEST);
  const whole = disk.files().get(PATH)!;
  const isDamaged = (bytes: Uint8Array, what: string) => {
    disk.put(PATH, bytes);
    assert.throws(() => readManifest(disk, PATH), DamagedFileError, what);
  };
  for (let length = 0; length < whole.length; length++) isDamaged(whole.slice(0, length), `${length} bytes`);
  for (let bit = 0; bit < 8 * whole.length; bit++) {
    const flipped = whole.slice();
    flipped[bit >>> 3]! ^= 1 << (bit & 7);
    isDamaged(flipped, `bit ${bit}`);
  }
});
