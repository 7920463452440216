/** Kills a writing process again and again: what it committed is there, exactly, and the next one goes on. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Drum, DUPLICATE } from '#drumline/drum/drum.js';
import { DrumBatch } from '#drumline/drum/drum-batch.js';
import { Random } from '#drumline/simulate/random.js';
import { addRound } from './crash-rounds.js';

const WRITER = fileURLToPath(new URL('crash-writer.js', import.meta.url));
const KILLS = Number(process.env['DRUM_KILLS'] ?? 12);

/** Kills the writer some time after a random line of its output; resolves to the rounds it said are committed. */
function writeAndKill(directory: string, firstRound: number, random: Random): Promise<number> {
  const lines = 1 + random.below(40);
  const spins = random.below(1_500_000);
  const child = spawn(process.execPath, [WRITER, directory, String(firstRound)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  let killed = false;
  child.stdout.setEncoding('latin1');
  child.stdout.on('data', (text: string) => {
    output += text;
    if (killed || output.split('\n').length <= lines) return;
    killed = true;
    for (let i = 0; i < spins; i++) random.word();
    child.kill('SIGKILL');
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (signal !== 'SIGKILL') reject(new Error(`the writer ended by itself: ${code} ${signal}`));
      const rounds = Array.from(output.matchAll(/committed (\d+)\n/g), (match) => Number(match[1]) + 1);
      resolve(Math.max(firstRound, ...rounds));
    });
  });
}

/** How many of rounds 0 to `rounds` - 1 are stored, in whole and in order; fails on anything else. */
function storedRounds(directory: string, rounds: number, what: string): number {
  const batch = new DrumBatch(4);
  const ends: number[] = [];
  for (let round = 0; round < rounds; round++) {
    addRound(batch, round, false);
    ends.push(batch.count);
  }
  let answered = 0;
  let stored = 0;
  const drum = Drum.open({ directory, memoryBytes: 1 << 20, valueBytes: 4 }, (answers) => {
    for (let i = 0; i < answers.count; i++, answered++) {
      if (answers.outcomes[i] !== DUPLICATE) continue;
      assert.equal(answered, stored, `${what}: a hole in the keys stored`);
      for (let j = 0; j < 4; j++) {
        const right = answers.values[4 * i + j] === batch.values[4 * answered + j];
        if (!right) assert.fail(`${what}: value of key ${answered}`);
      }
      stored++;
    }
  });
  drum.check(batch);
  drum.flush();
  assert.equal(drum.keys, stored, `${what}: keys that no round has`);
  drum.close();
  const whole = ends.indexOf(stored) + 1;
  assert.ok(stored === 0 || whole > 0, `${what}: ${stored} keys, not those of whole rounds`);
  return whole;
}

test(`${KILLS} kills of a writing process`, async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'drumline-crash-'));
  const random = new Random(KILLS);
  try {
    let rounds = 0;
    for (let kill = 1; kill <= KILLS; kill++) {
      const said = await writeAndKill(directory, rounds, random);
      // A commit may be done and not yet reported.
      const stored = storedRounds(directory, said + 3, `kill ${kill}`);
      assert.ok(
        stored === said || stored === said + 1,
        `kill ${kill}: ${stored} rounds stored, ${said} reported`,
      );
      rounds = stored;
    }
    t.diagnostic(`${rounds} rounds committed`);
    assert.ok(rounds > KILLS, `only ${rounds} rounds were written`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
