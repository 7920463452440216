/** The disk fails at every kind of moment and forgets what was not synced: the last commit must be there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Drum } from '#drumline/drum/drum.js';
import { DrumBatch } from '#drumline/drum/drum-batch.js';
import { DiskFault, MemoryDisk } from '#drumline/simulate/memory-disk.js';
import { Random } from '#drumline/simulate/random.js';
import { AnswerList, type Kind, keyMaker, ModelDrum, type Operation, toBatch } from './model.js';

const KINDS: readonly Kind[] = ['check', 'update', 'checkUpdate', 'checkUpdate'];
const CASES = 400;

type Stored = Map<string, Uint8Array>;

class CrashingDrum {
  readonly #random: Random;
  readonly #disk = new MemoryDisk();
  readonly #valueBytes: number;
  readonly #makeKey: () => [low: number, high: number];
  /** What the store may hold after a crash: the last commit, and one that was being made. */
  #committed: Stored = new Map();
  #committing: Stored | null = null;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#valueBytes = this.#random.pick([0, 2]);
    this.#makeKey = keyMaker(this.#random);
  }

  /** Works until the disk fails, then cuts the power and looks at what is left. Returns how far it got. */
  live(what: string): boolean {
    const model = new ModelDrum();
    model.stored = new Map(this.#committed);
    let failed = false;
    this.#disk.failAfter(this.#random.below(60));
    try {
      this.#work(model);
    } catch (error) {
      if (!(error instanceof DiskFault)) throw error;
      failed = true;
    }
    this.#disk.crash(this.#random);
    const found = this.#contents(what);
    const outcomes = this.#committing === null ? [this.#committed] : [this.#committed, this.#committing];
    const right = outcomes.find((stored) => text(stored) === text(found));
    assert.ok(right, `${what}: ${text(found)} is not ${outcomes.map(text).join(' nor ')}`);
    this.#committed = right;
    this.#committing = null;
    return failed;
  }

  #work(model: ModelDrum): void {
    const random = this.#random;
    const drum = this.#open(new AnswerList(this.#valueBytes));
    const batch = new DrumBatch(this.#valueBytes);
    for (let round = 0; round < 12; round++) {
      const kind = random.pick(KINDS);
      const aux = random.bytes(random.pick([0, 0, 800]));
      const operations: Operation[] = Array.from({ length: random.below(60) }, () => {
        const [low, high] = this.#makeKey();
        return { kind, low, high, value: random.bytes(this.#valueBytes), aux };
      });
      drum[kind](toBatch(operations, this.#valueBytes, batch));
      for (const operation of operations) model.apply(operation);
      drum.flush();
      if (random.chance(0.5)) continue;
      this.#committing = new Map(model.stored);
      drum.commit();
      this.#committed = this.#committing;
      this.#committing = null;
    }
    drum.close();
  }

  #open(list: AnswerList): Drum {
    const options = { directory: '/drum', memoryBytes: 1, valueBytes: this.#valueBytes, disk: this.#disk };
    return Drum.open(options, list.dispatcher);
  }

  /** Asks for every key that there ever might be. */
  #contents(what: string): Stored {
    const found: Stored = new Map();
    const batch = new DrumBatch(this.#valueBytes);
    const size = this.#valueBytes;
    const drum = Drum.open(
      { directory: '/drum', memoryBytes: 1, valueBytes: size, disk: this.#disk },
      ({ count, outcomes, keys, values }) => {
        for (let i = 0; i < count; i++) {
          if (outcomes[i] === 1) {
            found.set(`${keys[2 * i + 1]}:${keys[2 * i]}`, values.slice(i * size, (i + 1) * size));
          }
        }
      },
    );
    const asked = new Set([...this.#committed.keys(), ...(this.#committing?.keys() ?? [])]);
    for (let i = 0; i < 50; i++) asked.add(this.#makeKey().reverse().join(':'));
    for (const key of asked) {
      const [high, low] = key.split(':').map(Number);
      batch.add(low!, high!, new Uint8Array(0), 0, 0);
    }
    drum.check(batch);
    drum.flush();
    drum.close();
    const left = this.#disk.list('/drum').filter((name) => !/^(CURRENT|run-\d{8}\.drum)$/.test(name));
    assert.deepEqual(left, [], `${what}: files left`);
    return found;
  }
}

function text(stored: Stored): string {
  return Array.from(stored, ([key, value]) => `${key}=${value.join('.')}`)
    .sort()
    .join(' ');
}

test('after a power cut the store is the last commit, and goes on', () => {
  let failures = 0;
  for (let seed = 1; seed <= CASES; seed++) {
    const drum = new CrashingDrum(seed);
    for (let life = 0; life < 6; life++) {
      if (drum.live(`seed ${seed}, life ${life}`)) failures++;
    }
  }
  assert.ok(failures > CASES, `the disk failed only ${failures} times`);
});
