import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';
import { Random } from '#drumline/simulate/random.js';
import { WarcFiles } from '#drumline/store/warc-files.js';
import { WrittenNames } from '#drumline/store/written-names.js';

class ListedDisk extends MemoryDisk {
  lists = 0;

  override list(directory: string): string[] {
    this.lists++;
    return super.list(directory);
  }
}

test('the names of 10,000 files of several lives cost one listing, and one more when there are newer ones', () => {
  const random = new Random(1);
  const disk = new ListedDisk();
  const files = new WarcFiles('warc', 0, Date.UTC(2030, 0, 1));
  const names = new Map<string, string>();
  const write = (agent: number, serial: number, life: number): void => {
    const name = new WarcFiles('warc', agent, Date.UTC(2030, 0, 1 + life)).name(serial);
    disk.put(serial % 2 === 0 ? files.path(name) : files.openPath(name), new Uint8Array(1));
    names.set(`${agent} ${serial}`, name);
  };
  for (let agent = 0; agent < 4; agent++) {
    for (let serial = 1, life = agent; serial <= 2500; serial++) {
      if (random.chance(0.001)) life++;
      write(agent, serial, life);
    }
  }
  disk.put('warc/notes.txt', new Uint8Array(1));
  const written = new WrittenNames(disk, files);
  const check = (): void => {
    for (const [key, name] of names) {
      const [agent = 0, serial = 0] = key.split(' ').map(Number);
      assert.equal(written.nameOf({ agent, serial }), name);
    }
  };
  check();
  assert.equal(disk.lists, 1);
  write(2, 2501, 30);
  check();
  assert.equal(disk.lists, 2);
  assert.equal(written.nameOf({ agent: 9, serial: 1 }), '');
  assert.equal(written.nameOf({ agent: 1, serial: 0 }), '');
});
