import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Drum } from '#drumline/drum/drum.js';
import { DrumBatch } from '#drumline/drum/drum-batch.js';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';
import { Random } from '#drumline/simulate/random.js';
import { AnswerList, type Kind, keyMaker, ModelDrum, makeBase, type Operation, toBatch } from './model.js';

const KINDS: readonly Kind[] = ['check', 'update', 'checkUpdate'];
const CASES = 2000;
/** Aux is cut out of this: making it byte by byte would take most of the time. */
const NOISE = new Random(0).bytes(1 << 17);

const bases = new Map<number, ReturnType<typeof makeBase>>();

function baseOf(valueBytes: number): ReturnType<typeof makeBase> {
  const base = bases.get(valueBytes) ?? makeBase(valueBytes);
  bases.set(valueBytes, base);
  return base;
}

/** Hands random operations to a Drum and to a Map, with flushes, commits and reopenings in between. */
function runCase(seed: number): { answers: string[]; expected: string[]; spilled: boolean } {
  const random = new Random(seed);
  const valueBytes = random.pick([0, 0, 1, 4, 13]);
  const memoryBytes = random.pick([1, 64 * 1024, 100 * 1024, 1 << 20]);
  const disk = new MemoryDisk();
  const base = random.chance(0.3) ? baseOf(valueBytes) : undefined;
  for (const [path, bytes] of base?.[0] ?? []) disk.put(path, bytes);
  const model = new ModelDrum(base?.[1]);
  const list = new AnswerList(valueBytes);
  const open = () => Drum.open({ directory: '/drum', memoryBytes, valueBytes, disk }, list.dispatcher);
  const makeKey = keyMaker(random);
  const batch = new DrumBatch(valueBytes);
  // Long aux fills a small budget with a few operations, so that they spill.
  const auxLengths = random.pick([
    [0],
    [0, 9, 40],
    [0, 60, 1500],
    [900, 2500],
    [0, 0, 10, 20, 30, 40, 65_536],
  ]);
  const batchLimit = random.chance(0.02) ? 3000 : random.pick([2, 20, 60]);
  let drum = open();
  let spilled = false;
  const steps = 1 + random.below(12);
  for (let step = 0; step < steps; step++) {
    const kind = random.pick(KINDS);
    const operations: Operation[] = Array.from({ length: random.below(batchLimit) }, () => {
      const [low, high] = makeKey();
      const auxStart = random.below(1 << 16);
      const aux = NOISE.subarray(auxStart, auxStart + random.pick(auxLengths));
      return { kind, low, high, value: random.bytes(valueBytes), aux };
    });
    for (const operation of operations) {
      model.apply(operation);
      list.kinds.push(kind);
    }
    drum[kind](toBatch(operations, valueBytes, batch));
    assert.equal(drum.pending, model.expected.length - list.answers.length);
    spilled ||= disk.exists('/drum/pending-keys.tmp');
    if (random.chance(0.3)) drum.flush();
    if (random.chance(0.2)) drum.commit();
    if (random.chance(0.1)) {
      drum.flush();
      drum.commit();
      drum.close();
      assert.equal(disk.openFiles, 0);
      drum = open();
    }
  }
  drum.flush();
  assert.equal(drum.pending, 0);
  drum.close();
  return { answers: list.answers, expected: model.expected, spilled };
}

test('answers as a Map does, in the order of the operations', () => {
  let spilled = 0;
  for (let seed = 1; seed <= CASES; seed++) {
    const result = runCase(seed);
    assert.deepEqual(result.answers, result.expected, `seed ${seed}`);
    if (result.spilled) spilled++;
  }

  assert.ok(spilled > CASES / 10, `only ${spilled} cases spilled`);
});
