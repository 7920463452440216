import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { SeedFileWriter, seedStrings } from '#drumline/seeds/seed-file.js';

test('what is written is read back, whatever the lengths', () => {
  const directory = mkdtempSync(join(tmpdir(), 'drumline-seed-file-'));
  try {
    for (const count of [0, 1, 3, 2000]) {
      const path = join(directory, `${count}`);
      const urls = Array.from(
        { length: count },
        (_, i) => `http://host${i}.example/${'x'.repeat((i * 37) % 2000)}`,
      );
      const writer = new SeedFileWriter(path);
      for (const url of urls) writer.add(url);
      writer.close();
      assert.equal(writer.count, count);
      assert.deepEqual([...seedStrings(path)], urls);
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
});
