import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BlockReader } from '#drumline/drum/block-reader.js';
import { Run } from '#drumline/drum/run.js';
import { BLOCK_BYTES } from '#drumline/drum/run-format.js';
import { joinRun } from '#drumline/drum/run-join.js';
import { RunWriter } from '#drumline/drum/run-writer.js';
import { SortedKeys } from '#drumline/drum/sorted-keys.js';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';
import { Random } from '#drumline/simulate/random.js';

const PATH = '/drum/run-00000005.drum';

type Key = readonly [high: number, low: number];

/** Distinct keys in order; `spread` bits of the high half differ. */
function sortedKeys(random: Random, count: number, spread: number): Key[] {
  const keys = new Map<string, Key>();
  while (keys.size < count) {
    const key: Key = [spread === 0 ? 9 : random.word() >>> (32 - spread), random.word()];
    keys.set(key.join(), key);
  }
  return Array.from(keys.values()).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

function valueFor([high, low]: Key, valueBytes: number): number[] {
  return Array.from({ length: valueBytes }, (_, i) => (high + 3 * low + i) & 255);
}

function write(disk: MemoryDisk, keys: readonly Key[], valueBytes: number, indexEntries: number): Run {
  const options = { valueBytes, windowBlocks: 2, indexEntries };
  const writer = new RunWriter(disk, PATH, 5, keys.length, options);
  for (let from = 0; from < keys.length; from += 100) {
    const part = keys.slice(from, from + 100);
    const values = Uint8Array.from(part.flatMap((key) => valueFor(key, valueBytes)));
    const high = Uint32Array.from(part, (key) => key[0]);
    writer.add(
      high,
      Uint32Array.from(part, (key) => key[1]),
      values,
      part.length,
    );
  }
  return writer.finish();
}

function find(run: Run, wanted: readonly Key[], valueBytes: number, windowBlocks: number): SortedKeys {
  const keys = new SortedKeys(valueBytes);
  keys.reserve(wanted.length);
  keys.count = wanted.length;
  for (const [i, [high, low]] of wanted.entries()) {
    keys.high[i] = high;
    keys.low[i] = low;
  }
  joinRun(run, keys, new BlockReader(windowBlocks, valueBytes));
  return keys;
}

test('finds the keys of a run and no others, with any part of the index in memory', () => {
  for (let seed = 1; seed <= 120; seed++) {
    const random = new Random(seed);
    const valueBytes = random.pick([0, 0, 3, 64]);
    const all = sortedKeys(random, 2 + random.below(6000), random.pick([0, 3, 12, 32, 32]));
    const stored = all.filter(() => random.chance(0.6));
    if (stored.length === 0) continue;
    const wanted = all.filter(() => random.chance(random.pick([0.003, 0.1, 1])));
    if (wanted.length === 0) continue;
    const disk = new MemoryDisk();
    const written = write(disk, stored, valueBytes, random.pick([8, 10, 1000]));
    const opened = Run.open(disk, PATH, 5, valueBytes, random.pick([2, 5, 1000]));
    assert.equal(opened.keys, stored.length);
    const isStored = new Set(stored.map(String));
    for (const run of [written, opened]) {
      const { found, values } = find(run, wanted, valueBytes, 1 + random.below(4));
      for (const [i, key] of wanted.entries()) {
        assert.equal(found[i], isStored.has(String(key)) ? 1 : 0, `seed ${seed}: key ${key}`);
        if (found[i] === 0) continue;
        const value = Array.from(values.subarray(i * valueBytes, (i + 1) * valueBytes));
        assert.deepEqual(value, valueFor(key, valueBytes), `seed ${seed}: value of ${key}`);
      }
    }
  }
});

test('a few keys cost a few blocks', () => {
  const random = new Random(7);
  const keys = sortedKeys(random, 60_000, 32);
  const run = write(new MemoryDisk(), keys, 0, 1000);
  const wanted = keys.filter((_, i) => i % 10_000 === 5);
  const reader = new BlockReader(16, 0);
  const sought = find(run, wanted, 0, 1);
  sought.found.fill(0);
  joinRun(run, sought, reader);
  assert.equal(reader.bytesRead, wanted.length * BLOCK_BYTES);
  joinRun(run, sought, reader);
  assert.equal(reader.bytesRead, wanted.length * BLOCK_BYTES, 'what is found is not sought again');
});

test('neighbouring hashes take six bytes or so', () => {
  const run = write(new MemoryDisk(), sortedKeys(new Random(3), 50_000, 32), 0, 1000);
  assert.ok(run.bytes < 7.2 * run.keys, `${run.bytes / run.keys} bytes a key`);
});
