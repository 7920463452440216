import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Drum } from '#drumline/drum/drum.js';
import { DrumBatch } from '#drumline/drum/drum-batch.js';
import { BLOCK_BYTES } from '#drumline/drum/run-format.js';
import { DamagedFileError } from '#drumline/model/errors.js';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';
import { Random } from '#drumline/simulate/random.js';
import { makeBase } from './model.js';

const EMPTY = new Uint8Array(0);
const OPTIONS = { directory: '/drum', memoryBytes: 1 << 20, valueBytes: 2 };

/** Key n, and the value that is stored with it. */
function addKey(batch: DrumBatch, n: number): void {
  const high = Math.imul(n + 1, 0x9e3779b1) >>> 0;
  batch.addWithValue(n, high, Uint8Array.of(n, n >>> 8), EMPTY, 0, 0);
}

/** A store of keys 0 to `count` - 1 in three runs. */
function makeStore(count: number): MemoryDisk {
  const disk = new MemoryDisk();
  const drum = Drum.open({ ...OPTIONS, disk }, () => {});
  const batch = new DrumBatch(2);
  const ends = [count >>> 1, count - 10, count];
  for (let n = 0; n < count; n++) {
    addKey(batch, n);
    if (n + 1 !== ends[0]) continue;
    ends.shift();
    drum.checkUpdate(batch);
    drum.flush();
    drum.commit();
    batch.clear();
  }
  drum.close();
  return disk;
}

/** Asks for keys 0 to 2 x `count`; a wrong answer fails the test, and damage is thrown. */
function askAll(disk: MemoryDisk, count: number, what: string): void {
  const batch = new DrumBatch(2);
  for (let n = 0; n < 2 * count; n++) addKey(batch, n);
  let answered = 0;
  const drum = Drum.open({ ...OPTIONS, disk }, ({ count: answers, outcomes, keys, values }) => {
    for (let i = 0; i < answers; i++) {
      const n = keys[2 * i]!;
      const right = outcomes[i] === (n < count ? 1 : 0);
      const rightValue = n >= count || (values[2 * i] === (n & 255) && values[2 * i + 1] === n >>> 8);
      assert.ok(right && rightValue, `${what}: wrong answer for key ${n}`);
    }
    answered += answers;
  });
  try {
    drum.check(batch);
    drum.flush();
  } finally {
    drum.close();
  }
  assert.equal(answered, 2 * count, what);
}

/** Changes one file; the store must say so, naming the file, and must leave no file open. */
function damage(disk: MemoryDisk, path: string, bytes: Uint8Array, count: number, what: string): void {
  const whole = disk.files().get(path)!;
  disk.put(path, bytes);
  assert.throws(
    () => askAll(disk, count, what),
    (error) => error instanceof DamagedFileError && error.message.startsWith(`${path}: damaged at offset `),
    what,
  );
  assert.equal(disk.openFiles, 0, what);
  disk.put(path, whole);
}

test('every file truncated at every block boundary is found damaged', () => {
  const count = 3000;
  const disk = makeStore(count);
  askAll(disk, count, 'whole');
  const files = disk.files();
  assert.equal(files.size, 4, Array.from(files.keys()).join());
  for (const [path, bytes] of files) {
    for (const shift of [-1, 0, 1]) {
      for (let size = Math.max(0, shift); size < bytes.length; size += BLOCK_BYTES) {
        damage(disk, path, bytes.slice(0, size), count, `${path} cut to ${size} bytes`);
      }
    }
    damage(disk, path, bytes.slice(0, -1), count, `${path} without its last byte`);
    damage(disk, path, Uint8Array.from([...bytes, 0]), count, `${path} with a byte more`);
  }
  askAll(disk, count, 'whole again');
});

test('a flipped bit is found, wherever it is', () => {
  const count = 700;
  const disk = makeStore(count);
  const random = new Random(11);
  for (const [path, bytes] of disk.files()) {
    const step = bytes.length > 5000 ? 5 : 3;
    for (let at = 0; at < bytes.length; at += at < 64 || at > bytes.length - 100 ? 1 : step) {
      const flipped = bytes.slice();
      flipped[at]! ^= 1 << random.below(8);
      damage(disk, path, flipped, count, `${path}: bit at ${at}`);
    }
  }
});

test('a run or a block in the place of another is found', () => {
  const count = 3000;
  const disk = makeStore(count);
  const runs = Array.from(disk.files()).filter(([path]) => path.endsWith('.drum'));
  const [first, second] = [runs[0]!, runs[1]!];
  damage(disk, first[0], second[1], count, 'another run');
  const swapped = first[1].slice();
  swapped.copyWithin(0, BLOCK_BYTES, 2 * BLOCK_BYTES);
  damage(disk, first[0], swapped, count, 'the second block twice');
});

test('a missing run is an error that names it', () => {
  const disk = makeStore(100);
  disk.remove('/drum/run-00000001.drum');
  assert.throws(() => askAll(disk, 100, 'missing'), /run-00000001\.drum: damaged at offset 0: is missing/);
});

test('damage to spilled operations is found', () => {
  const [files] = makeBase(0);
  for (const name of ['pending-log.tmp', 'pending-keys.tmp']) {
    for (let seed = 1; seed <= 40; seed++) {
      const random = new Random(seed);
      const disk = new MemoryDisk();
      for (const [path, bytes] of files) disk.put(path, bytes);
      const drum = Drum.open({ directory: '/drum', memoryBytes: 1, disk }, () => {});
      const aux = random.bytes(1000);
      const batch = new DrumBatch();
      for (let n = 0; n < 50; n++) batch.add(random.word(), random.word(), aux, 0, aux.length);
      drum.checkUpdate(batch);
      const path = `/drum/${name}`;
      const bytes = disk.files().get(path);
      assert.ok(bytes !== undefined && bytes.length > 0, `nothing in ${name}`);
      const file = disk.open(path, 'update');
      if (seed % 4 === 0) {
        file.truncate(random.below(bytes.length));
      } else {
        const at = random.below(bytes.length);
        file.write(Uint8Array.of(bytes[at]! ^ (1 << random.below(8))), 0, 1, at);
      }
      const damaged = (error: unknown) => error instanceof DamagedFileError && error.message.includes(name);
      assert.throws(() => drum.flush(), damaged, `${name}, seed ${seed}`);
      assert.throws(() => drum.flush(), /failed before/);
      drum.close();
    }
  }
});
