/**
 * Writes to a Drum until it is killed: round after round of keys that are made from the round's number, a
 * commit after each, and a line to say so. Arguments: directory, first round.
 */
import { writeSync } from 'node:fs';
import { Drum } from '#drumline/drum/drum.js';
import { DrumBatch } from '#drumline/drum/drum-batch.js';
import { addRound } from './crash-rounds.js';

const [directory, firstRound] = process.argv.slice(2);
const drum = Drum.open({ directory: directory!, memoryBytes: 1, valueBytes: 4 }, () => {});
const batch = new DrumBatch(4);
for (let round = Number(firstRound); ; round++) {
  batch.clear();
  addRound(batch, round, true);
  drum.checkUpdate(batch);
  writeSync(1, `handed over ${round}\n`);
  drum.flush();
  writeSync(1, `answered ${round}\n`);
  drum.commit();
  writeSync(1, `committed ${round}\n`);
}
