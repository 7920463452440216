/** The keys of the rounds that `crash-writer.ts` writes and `crash.test.ts` looks for. */
import type { DrumBatch } from '#drumline/drum/drum-batch.js';
import { Random } from '#drumline/simulate/random.js';

const AUX = new Uint8Array(700);
const value = new Uint8Array(4);

/** Some rounds fit in memory; with their aux, some spill. */
export function addRound(batch: DrumBatch, round: number, withAux: boolean): void {
  const random = new Random(round + 1);
  const count = random.pick([3, 40, 900]);
  const auxLength = random.pick([0, 20, AUX.length]);
  const auxEnd = withAux ? auxLength : 0;
  for (let i = 0; i < count; i++) {
    value.fill(round + i);
    batch.addWithValue((i << 16) | (round & 0xffff), random.word(), value, AUX, 0, auxEnd);
  }
}
