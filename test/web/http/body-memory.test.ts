import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '#drumline/simulate/random.js';
import { Body } from '#drumline/web/http/body.js';
import { BodyMemory } from '#drumline/web/http/body-memory.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** What a body has without asking for it, and what a connection reads at once. */
const SMALL = 64 * 1024;
const READ = 32 * 1024;

test('a body in one piece is not copied, if nobody writes over it', () => {
  for (const mayKeep of [true, false]) {
    const body = new Body(new BodyMemory(1e6), 1e6);
    const chunk = Buffer.alloc(1000, 1);
    assert.ok(body.begin(-1, () => {}));
    assert.ok(body.append(chunk, mayKeep));
    assert.equal(body.bytes === chunk, mayKeep);
    assert.equal(body.length, 1000);
    assert.equal(body.bytes[999], 1);
  }
});

test('buffers are used again', () => {
  const memory = new BodyMemory(1e6);
  const fill = (): Uint8Array => {
    const body = new Body(memory, 1e6);
    body.append(Buffer.alloc(10_000), false);
    body.append(Buffer.alloc(10_000), false);
    const { bytes } = body;
    body.release();
    return bytes;
  };
  const first = fill();
  assert.equal(fill(), first);
});

interface Fill {
  readonly memory: BodyMemory;
  readonly random: () => number;
  readonly bound: number;
  /** Bytes that one read brings at most. */
  readonly read: number;
  /** Looks at the memory after each step. */
  readonly look: () => void;
}

/** Receives, perhaps decodes and releases one body, with pauses of any length; false if it was given up meanwhile. */
async function fill(i: number, { memory, random, bound, read, look }: Fill): Promise<boolean> {
  const length = random() % (i % 2 === 0 ? 2 * bound : SMALL);
  const sent = Buffer.from(Uint8Array.from({ length }, (_, at) => (at * (i + 1)) >>> 8));
  const pauses = 1 + (random() % 6);
  const body = new Body(memory, bound);
  let goOn: () => void = () => {};
  const waitFor = (): Promise<void> =>
    new Promise((resolve) => {
      goOn = resolve;
    });
  let isPaused = !body.begin(random() % 2 === 0 ? length : -1, () => goOn());
  for (let at = 0; isPaused || (at < length && !body.isTruncated); ) {
    look();
    assert.equal(body.isWaiting, isPaused);
    if (isPaused) {
      if (random() % 40 === 0) {
        body.release();
        return false;
      }
      await waitFor();
      isPaused = false;
      continue;
    }
    const size = 1 + (random() % read);
    isPaused = !body.append(sent.subarray(at, at + size), random() % 2 === 0);
    at += size;
    if (random() % pauses === 0 && !isPaused) await turn();
  }
  assert.equal(body.isTruncated, length > bound);
  assert.ok(Buffer.from(body.bytes.subarray(0, body.length)).equals(sent.subarray(0, bound)), `body ${i}`);
  if (random() % 3 === 0) {
    const bytes = 1 + (random() % bound);
    await new Promise<void>((resolve) => body.extend(bytes, resolve));
    body.adopt(new Uint8Array(bytes));
    look();
    await turn();
  }
  body.release();
  look();
  return true;
}

test('bodies of any sizes in any order have the budget and one body together, and all come to their end', async () => {
  for (const seed of [40, 41, 42]) {
    const numbers = new Random(seed);
    const random = (): number => numbers.word();
    const bound = 300_000 + (random() % 200_000);
    const budget = [10_000, 300_000, 1_500_000][seed % 3]!;
    const memory = new BodyMemory(budget);
    // What is decoded counts to its body.
    const look = (): void =>
      assert.ok(memory.reserved <= budget + 2 * bound, `${memory.reserved} bytes reserved, seed ${seed}`);
    const parts = { memory, random, bound, read: seed % 2 === 0 ? READ : 2 * SMALL, look };
    const ends = await Promise.all(Array.from({ length: 40 }, (_, i) => fill(i, parts)));
    assert.ok(ends.filter(Boolean).length > 25, `${ends.filter(Boolean).length} finished, seed ${seed}`);
    assert.deepEqual([memory.reserved, memory.waiting], [0, 0], `seed ${seed}`);
  }
});

test('one body at a time goes past the budget, in the order that they came to wait', async () => {
  const memory = new BodyMemory(100_000);
  const [bound, order] = [1_000_000, [] as number[]];
  const bodies = Array.from({ length: 5 }, () => new Body(memory, bound));
  for (const [i, body] of bodies.entries()) {
    assert.ok(i > 0 || body.begin(-1, () => order.push(i)));
    if (i > 0) body.begin(-1, () => order.push(i));
    if (!body.isWaiting) while (body.append(Buffer.alloc(READ), false));
    assert.ok(body.isWaiting);
  }
  for (const [i, body] of bodies.entries()) {
    await turn();
    assert.deepEqual(
      order,
      Array.from({ length: i + 1 }, (_, at) => at),
    );
    assert.deepEqual(
      bodies.map(({ isWaiting }) => isWaiting),
      bodies.map((_, at) => at > i),
    );
    // It has all that it may have, and never waits again.
    for (let at = 0; at < 20; at++) assert.ok(body.append(Buffer.alloc(READ), false));
    assert.equal(memory.reserved, bound);
    // Those who need little do not wait for it.
    const small = new Body(memory, bound);
    assert.ok(small.begin(SMALL, () => {}) && small.append(Buffer.alloc(READ), false));
    assert.ok(small.append(Buffer.alloc(READ), false));
    small.release();
    body.release();
  }
  assert.equal(memory.reserved, 0);
});

test('the holder decodes what it received, and so does one that has to wait for that', async () => {
  const memory = new BodyMemory(100_000);
  const bodies = [new Body(memory, 500_000), new Body(memory, 500_000)];
  let got = '';
  const [holder, other] = bodies as [Body, Body];
  while (holder.append(Buffer.alloc(READ), false));
  await turn();
  assert.ok(memory.isHolder(holder));
  other.append(Buffer.alloc(READ), false);
  other.extend(400_000, () => {
    got += 'other ';
  });
  await turn();
  assert.equal(got, '');
  holder.extend(500_000, () => {
    got += 'holder ';
  });
  assert.equal(got, 'holder ');
  holder.release();
  await turn();
  assert.equal(got, 'holder other ');
  other.release();
  assert.equal(memory.reserved, 0);
});
