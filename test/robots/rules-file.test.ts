import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Disk } from '#drumline/model/disk.js';
import type { RobotsLine } from '#drumline/robots/robots-text.js';
import { NOT_FILED, RulesFile } from '#drumline/robots/rules-file.js';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';
import { Random } from '#drumline/simulate/random.js';

const KILOBYTE = 1024;

function rulesOf(length: number): { rules: RobotsLine[]; crawlDelay: number } {
  const rule = { isAllow: false, pattern: `/${'x'.repeat(length)}`, value: '/ä', line: 2 };
  return { rules: [rule], crawlDelay: length };
}

test('what is read is what was written, or nothing once it was written over', () => {
  const random = new Random(3);
  const file = new RulesFile(new MemoryDisk(), '/rules', 64 * KILOBYTE);
  const filed: { block: number; key: Uint32Array; length: number; until: number }[] = [];
  let written = 0;
  for (let i = 0; i < 2000; i++) {
    const key = Uint32Array.of(random.below(1000), i);
    const length = random.below(i % 50 === 0 ? 8000 : 500);
    const block = file.append(key, rulesOf(length));
    written += Math.ceil((length + 200) / 256) * 256;
    filed.push({ block, key, length, until: written + 30 * KILOBYTE });
    for (let looks = 0; looks < 5; looks++) {
      const { block, key, length, until } = filed[Math.max(0, filed.length - 1 - random.below(200))]!;
      const read = file.read(block, key);
      if (read !== null || until > written) assert.deepEqual(read, rulesOf(length), `record ${i}`);
    }
  }
  assert.equal(file.read(filed[0]!.block, filed[0]!.key), null);
  file.close();
});

test('damage is nothing that was written, wherever it is', () => {
  const disk = new MemoryDisk();
  const key = Uint32Array.of(7, 8);
  const file = new RulesFile(disk, '/rules', 64 * KILOBYTE);
  file.append(key, rulesOf(20));
  const handle = disk.open('/rules', 'update');
  const size = handle.size();
  const byte = new Uint8Array(1);
  for (let at = 0; at < size; at++) {
    handle.read(byte, 0, 1, at);
    byte[0]! ^= 0x10;
    handle.write(byte, 0, 1, at);
    assert.equal(file.read(0, key), null, `byte ${at}`);
    byte[0]! ^= 0x10;
    handle.write(byte, 0, 1, at);
  }
  assert.deepEqual(file.read(0, key), rulesOf(20));
  handle.truncate(size - 1);
  assert.equal(file.read(0, key), null);
  handle.close();
  file.close();
});

test('rules that would take most of the file are not taken, and a file is made for others only', () => {
  const disk = new MemoryDisk();
  const file = new RulesFile(disk, '/rules', 8 * KILOBYTE);
  const key = Uint32Array.of(1, 2);
  assert.equal(file.append(key, rulesOf(3 * KILOBYTE)), NOT_FILED);
  assert.equal(file.read(0, key), null);
  assert.ok(!disk.exists('/rules'));
  assert.equal(file.append(key, rulesOf(KILOBYTE)), 0);
  assert.ok(disk.exists('/rules'));
  file.close();
});

test('a disk that fails is no reason to end: what it does not take or give is not known', () => {
  const disk = new MemoryDisk();
  let isBroken = true;
  const broken = (): void => {
    if (isBroken) throw new Error('EIO');
  };
  const failing: Disk = {
    exists: (path) => disk.exists(path),
    list: (path) => disk.list(path),
    makeDirectory: broken,
    rename: broken,
    remove: broken,
    syncDirectory: broken,
    open(path, mode) {
      const file = disk.open(path, mode);
      return {
        size: () => file.size(),
        truncate: (size) => file.truncate(size),
        sync: () => file.sync(),
        close: () => file.close(),
        read(into, start, end, position) {
          broken();
          return file.read(into, start, end, position);
        },
        write(from, start, end, position) {
          broken();
          file.write(from, start, end, position);
        },
      };
    },
  };
  const file = new RulesFile(failing, '/rules', 64 * KILOBYTE);
  const key = Uint32Array.of(1, 2);
  assert.equal(file.append(key, rulesOf(5)), NOT_FILED);
  isBroken = false;
  assert.equal(file.append(key, rulesOf(5)), 0);
  isBroken = true;
  assert.equal(file.append(key, rulesOf(6)), NOT_FILED);
  assert.equal(file.read(0, key), null);
  isBroken = false;
  assert.deepEqual(file.read(0, key), rulesOf(5));
  file.close();
});
