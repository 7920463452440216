import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyHash } from '#drumline/model/key-hash.js';
import { Frontier, type FrontierState } from '#drumline/shard/frontier.js';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';
import { Random } from '#drumline/simulate/random.js';

const PATHS = {
  urls: (number: number) => `/crawl/urls-${number}`,
  sites: '/crawl/sites',
};
const SEGMENT = 16 << 10;
const RECORD_HEADER = 16;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

type Chunks = Uint8Array[];

/** A frontier, and what should be in it. */
class Model {
  readonly disk = new MemoryDisk();
  readonly clock = { now: 1000 };
  readonly memoryBytes: number;
  readonly isSaved: boolean;
  queues = new Map<number, string[]>();
  frontier: Frontier;

  constructor(memoryBytes: number, isSaved: boolean) {
    this.memoryBytes = memoryBytes;
    this.isSaved = isSaved;
    this.frontier = this.#open();
  }

  #open(state?: FrontierState): Frontier {
    return new Frontier(this.disk, PATHS, {
      memoryBytes: this.memoryBytes,
      needsAddress: false,
      clock: () => this.clock.now,
      hash: new KeyHash([5, 6, 7, 8]),
      isSaved: this.isSaved,
      state,
    });
  }

  push(site: number, text: string): void {
    const bytes = encoder.encode(`${site} ${text}`);
    this.frontier.push(site * 7919, site, bytes, 0, bytes.length);
    this.queues.set(site, [...(this.queues.get(site) ?? []), text]);
  }

  /** Takes the oldest URL of the site whose turn it is; the site rests for `rest(site)` ms. */
  take(rest: (site: number) => number): boolean {
    const handle = this.frontier.next();
    if (handle === 0) return false;
    const { bytes, start, end } = this.frontier.peek(handle);
    const [name, text] = decoder.decode(bytes.subarray(start, end)).split(' ');
    const site = Number(name);
    assert.equal(text, this.queues.get(site)!.shift(), `order in site ${site}`);
    this.frontier.drop(handle);
    this.frontier.release(handle, this.clock.now + rest(site));
    return true;
  }

  takeAll(): void {
    while (this.frontier.count > 0) {
      this.clock.now += this.frontier.delay;
      assert.ok(this.take(() => 0));
    }
    for (const [site, queue] of this.queues) assert.deepEqual(queue, [], `site ${site}`);
  }

  save() {
    const parts: [Chunks, Chunks] = [[], []];
    const [sites, entries] = parts.map((chunks) => (bytes: Uint8Array, start: number, end: number) => {
      chunks.push(Uint8Array.from(bytes.subarray(start, end)));
    });
    const state = JSON.parse(JSON.stringify(this.frontier.save(sites!, entries!))) as FrontierState;
    return { state, parts, queues: structuredClone(this.queues) };
  }

  /** The power goes: what was not synced is there, or not, or in part. */
  crash(kept: ReturnType<Model['save']>, random: Random): void {
    this.frontier.close();
    this.disk.crash(random);
    this.reopen(kept);
  }

  reopen({ state, parts, queues }: ReturnType<Model['save']>): void {
    this.frontier = this.#open(state);
    const [sites, entries] = parts.map(
      (chunks) => (visit: (bytes: Uint8Array, start: number, end: number) => void) => {
        for (const chunk of chunks) visit(chunk, 0, chunk.length);
      },
    );
    this.frontier.restore(state, sites!, entries!);
    this.queues = structuredClone(queues);
  }

  get urlFiles(): [string, number][] {
    return [...this.disk.files()]
      .filter(([name]) => name.startsWith('/crawl/urls'))
      .map(([name, { length }]) => [name, length]);
  }

  get waitingBytes(): number {
    let sum = 0;
    for (const [site, queue] of this.queues)
      for (const text of queue) sum += RECORD_HEADER + `${site} ${text}`.length;
    return sum;
  }
}

const NEVER = 1e9;

for (const isSaved of [false, true]) {
  const how = isSaved ? 'with' : 'without';
  test(`the queue takes three times the bytes of what waits at most, ${how} checkpoints, however URLs are mixed`, () => {
    const model = new Model(60_000, isSaved);
    const random = new Random(18);
    const slow = (site: number): number => (site <= 40 ? NEVER : 0);
    let worst = 0;
    for (let step = 0; step < 40_000; step++) {
      // One URL in fifty waits for long; the others go at once, but their segments would stay.
      if (step % 50 === 0) model.push(1 + random.below(40), `${step}-${'x'.repeat(random.below(200))}`);
      model.push(41 + random.below(100), `${step}-${'x'.repeat(random.below(300))}`);
      model.take(slow);
      if (step % 1000 !== 999) continue;
      if (isSaved) {
        // The file that was emptied is removed when the checkpoint after that is known to be whole.
        for (let i = 0; i < 2; i++) {
          model.save();
          model.frontier.confirm();
        }
      }
      const disk = model.urlFiles.reduce((sum, [, bytes]) => sum + bytes, 0);
      assert.ok(model.urlFiles.length <= 2);
      worst = Math.max(worst, disk - 3 * model.waitingBytes);
    }
    // Beside that, some segments, and what came within a checkpoint.
    assert.ok(worst <= 8 * SEGMENT + (isSaved ? 1000 * 300 : 0), `${worst} bytes more`);
    const moves = Number(/\d+/.exec(model.urlFiles.at(-1)![0])![0]);
    assert.ok(moves >= 5, `the file was written anew ${moves} times`);
    model.takeAll();
  });
}

for (const [name, memoryBytes] of [
  ['in memory', 400_000],
  ['mostly parked', 8000],
] as const) {
  test(`URLs that are moved survive power cuts, each once and in order: sites ${name}`, () => {
    const random = new Random(memoryBytes);
    const model = new Model(memoryBytes, true);
    let kept = model.save();
    let moving = 0;
    const rest = (site: number): number => (site % 4 === 0 ? 400 : 2);
    for (let round = 0; round < 500; round++) {
      const steps = random.below(120);
      for (let step = 0; step < steps; step++) {
        const isBusy = model.frontier.count > 1200;
        if (random.chance(isBusy ? 0.3 : 0.6))
          model.push(1 + random.below(150), `${round}.${step}.${'y'.repeat(random.below(300))}`);
        else model.take(rest);
        if (random.chance(0.3)) model.clock.now++;
      }
      if (random.chance(0.6)) {
        kept = model.save();
        if (kept.state.log.spaces.length === 2) moving++;
        if (random.chance(0.7)) model.frontier.confirm();
      }
      if (random.chance(0.08)) model.crash(kept, random);
    }
    assert.ok(moving > 3, `${moving} checkpoints amid moving`);
    model.takeAll();
  });
}

test('damage of the queue is found when it is read: nothing else is fetched', () => {
  const model = new Model(1000, true);
  for (let i = 0; i < 1200; i++) model.push(1 + (i % 3), `${i}-${'z'.repeat(150)}`);
  const kept = model.save();
  const [name] = model.urlFiles[0]!;
  const whole = model.disk.files().get(name)!;
  const flipped = (at: number) => whole.map((byte, i) => (i === at ? byte ^ 16 : byte));
  const damages = [
    new Uint8Array(0),
    whole.subarray(0, 9000),
    ...[3, 9, 13, 60].map((at) => flipped(1000 * 186 + at)),
  ];
  for (const [i, bytes] of damages.entries()) {
    model.disk.put(name, bytes);
    model.reopen(kept);
    assert.throws(() => model.takeAll(), /damaged at offset/, `damage ${i}`);
  }
  model.disk.remove(name);
  assert.throws(() => model.reopen(kept), /damaged/);
  model.disk.put(name, whole);
  model.reopen(kept);
  model.takeAll();
});

test('a checkpoint does not write down sites again that wait for room in memory', () => {
  const model = new Model(3000, true);
  for (let site = 1; site <= 5000; site++) model.push(site, 'a');
  const { parts, state } = model.save();
  assert.ok(state.parked.count > 4900);
  const bytes = parts.flat().reduce((sum, chunk) => sum + chunk.length, 0);
  assert.ok(bytes < 3000 + 5000, `${bytes} bytes for 5000 sites, of which memory holds 16`);
});
