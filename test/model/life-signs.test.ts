import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Disk } from '#drumline/model/disk.js';
import { WatchedDisk } from '#drumline/model/life-signs.js';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';

class Signs {
  waits = 0;
  ended = 0;
  alive(): void {}
  beginWait(): void {
    this.waits++;
  }
  endWait(): void {
    this.waits--;
    this.ended++;
  }
}

/** Sees how many waits are under way whenever the disk is called, and fails if it is told to. */
function observed(disk: object, see: (name: string) => void): object {
  return new Proxy(disk, {
    get(target, name: string) {
      const value = (target as Record<string, unknown>)[name];
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        see(name);
        const result = (value as (...given: unknown[]) => unknown).apply(target, given);
        return name === 'open' ? observed(result as object, see) : result;
      };
    },
  });
}

test('each call to a watched disk is a wait, and over when it fails, too', () => {
  const signs = new Signs();
  const calls: string[] = [];
  let fails = false;
  const below = observed(new MemoryDisk(), (name) => {
    if (name === 'size') return;
    calls.push(name);
    assert.equal(signs.waits, 1, name);
    if (fails) throw new Error('EIO');
  }) as Disk;
  const disk = new WatchedDisk(below, signs);
  const file = disk.open('/a', 'create');
  const bytes = new Uint8Array(8);
  const steps: [string, () => unknown][] = [
    ['write', () => file.write(bytes, 0, 8, 0)],
    ['read', () => file.read(bytes, 0, 8, 0)],
    ['truncate', () => file.truncate(4)],
    ['sync', () => file.sync()],
    ['makeDirectory', () => disk.makeDirectory('/')],
    ['exists', () => disk.exists('/a')],
    ['list', () => disk.list('/')],
    ['syncDirectory', () => disk.syncDirectory('/')],
    ['rename', () => disk.rename('/a', '/b')],
    ['remove', () => disk.remove('/b')],
    ['close', () => file.close()],
  ];
  assert.equal(file.size(), 0);
  for (const [, step] of steps) step();
  assert.deepEqual(calls, ['open', ...steps.map(([name]) => name)]);
  assert.deepEqual([signs.waits, signs.ended], [0, calls.length]);
  fails = true;
  for (const [name, step] of steps) assert.throws(step, /EIO/, name);
  assert.equal(signs.waits, 0);
});
