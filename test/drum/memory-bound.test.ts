/** What a Drum really keeps in typed arrays, whatever it is given. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Drum } from '#drumline/drum/drum.js';
import { DrumBatch } from '#drumline/drum/drum-batch.js';
import { Random } from '#drumline/simulate/random.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const BATCH = 1000;

/** Bytes in typed arrays that something still refers to. */
function arrayBytes(): number {
  // What the first one finds is let go of in the background; the second waits for that.
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** The most that a Drum held, looked at while it dispatches and between batches. */
function mostBytes(memoryBytes: number, valueBytes: number, auxLengths: readonly number[]): number {
  const directory = mkdtempSync(join(tmpdir(), 'drumline-memory-'));
  try {
    const random = new Random(memoryBytes + valueBytes);
    const batch = new DrumBatch(valueBytes);
    const aux = random.bytes(Math.max(...auxLengths));
    for (let i = 0; i < BATCH; i++) batch.add(0, 0, aux, 0, aux.length);
    const before = arrayBytes();
    let most = 0;
    let calls = 0;
    const look = () => {
      if (calls++ % 100 === 0) most = Math.max(most, arrayBytes() - before);
    };
    const drum = Drum.open({ directory, memoryBytes, valueBytes }, look);
    for (const auxLength of auxLengths) {
      for (let round = 0; round < 60; round++) {
        batch.clear();
        for (let i = 0; i < BATCH; i++) batch.add(random.word(), random.word(), aux, 0, auxLength);
        drum.checkUpdate(batch);
        look();
        if (round % 25 === 0) drum.commit();
      }
      drum.flush();
    }
    assert.ok(drum.statistics.merges > 3, `${drum.statistics.merges} merges`);
    drum.close();
    return most;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

test('the memory given holds for all arrays together', () => {
  for (const valueBytes of [0, 4]) {
    const memoryBytes = 1 << 20;
    const most = mostBytes(memoryBytes, valueBytes, [0, 90, 2000, 20]);
    const what = `${most} bytes in arrays, ${memoryBytes} given, values of ${valueBytes}`;
    assert.ok(most <= memoryBytes, what);
    assert.ok(most > memoryBytes / 4, what);
  }
});
