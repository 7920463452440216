import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DrumBatch } from '#drumline/drum/drum-batch.js';
import { Random } from '#drumline/simulate/random.js';

const NOISE = new Random(1).bytes(3000);

test('holds what was added, however it was added and however much', () => {
  for (let seed = 1; seed <= 15; seed++) {
    const random = new Random(seed);
    const valueBytes = random.pick([0, 4, 9]);
    const batch = new DrumBatch(valueBytes);
    for (let use = 0; use < 3; use++) {
      batch.clear();
      const expected = Array.from({ length: random.below(200) }, () => {
        const key = [random.word(), random.word()] as const;
        const start = random.below(1000);
        const aux = NOISE.subarray(start, start + random.pick([0, 1, 70, 96, 97, 2000]));
        const value = random.bytes(valueBytes);
        if (random.chance(0.5)) {
          batch.addWithValue(...key, value, NOISE, start, start + aux.length);
        } else {
          value.fill(0);
          const at = batch.reserve(aux.length + 10);
          batch.aux.set(aux, at);
          batch.commitAux(...key, aux.length);
        }
        // Room that was not used adds nothing.
        if (random.chance(0.2)) batch.reserve(100);
        return { key: [...key], value: [...value], aux: [...aux] };
      });
      const held = Array.from({ length: batch.count }, (_, i) => ({
        key: [...batch.keys.subarray(2 * i, 2 * i + 2)],
        value: [...batch.values.subarray(i * valueBytes, (i + 1) * valueBytes)],
        aux: [...batch.aux.subarray(i === 0 ? 0 : batch.auxEnds[i - 1], batch.auxEnds[i])],
      }));
      assert.deepEqual(held, expected, `seed ${seed}, use ${use}`);
    }
  }
});
