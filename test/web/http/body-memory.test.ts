import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Body, BodyMemory } from '#drumline/web/http/body-memory.js';
import { seeded } from './seeded.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a body in one piece is not copied', () => {
  const body = new Body(new BodyMemory(1e6), 1e6);
  const chunk = Buffer.alloc(1000, 1);
  body.begin(-1, () => {});
  assert.ok(body.append(chunk));
  assert.equal(body.bytes, chunk);
  assert.equal(body.length, 1000);
});

test('buffers are used again', () => {
  const memory = new BodyMemory(1e6);
  const fill = (): Uint8Array => {
    const body = new Body(memory, 1e6);
    body.append(Buffer.alloc(10_000));
    body.append(Buffer.alloc(10_000));
    const { bytes } = body;
    body.release();
    return bytes;
  };
  const first = fill();
  assert.equal(fill(), first);
});

test('bodies of any pieces, many at once, within the budget', async () => {
  const seed = 40;
  const random = seeded(seed);
  const bound = 400_000;
  const budget = 1_000_000;
  const memory = new BodyMemory(budget);
  let finished = 0;
  const receive = async (i: number): Promise<void> => {
    const length = random() % (i % 2 === 0 ? 600_000 : 60_000);
    const sent = Buffer.from(Uint8Array.from({ length }, (_, at) => (at * (i + 1)) >>> 8));
    let isPaused = false;
    let goOn: () => void = () => {};
    const body = new Body(memory, bound);
    body.begin(random() % 2 === 0 ? length : -1, () => {
      isPaused = false;
      goOn();
    });
    for (let at = 0; at < length && !body.isTruncated; ) {
      const size = 1 + (random() % 65_536);
      isPaused = !body.append(sent.subarray(at, at + size));
      at += size;
      assert.ok(memory.reserved <= budget + bound, `${memory.reserved} bytes reserved, seed ${seed}`);
      assert.equal(body.isWaiting, isPaused);
      if (isPaused && random() % 8 === 0) {
        body.release();
        return;
      }
      if (isPaused) {
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
      } else if (random() % 4 === 0) await turn();
    }
    const message = `body ${i} of ${length} bytes, seed ${seed}`;
    assert.equal(body.isTruncated, length > bound, message);
    assert.ok(Buffer.from(body.bytes.subarray(0, body.length)).equals(sent.subarray(0, bound)), message);
    body.release();
    finished++;
  };
  await Promise.all(Array.from({ length: 60 }, (_, i) => receive(i)));
  assert.ok(finished > 30, `${finished} finished, seed ${seed}`);
  assert.equal(memory.reserved, 0);
});

test('the first goes on where all would wait', async () => {
  const memory = new BodyMemory(600_000);
  const bodies = [new Body(memory, 1e6), new Body(memory, 1e6)];
  let resumed = 0;
  for (const body of bodies) {
    body.begin(-1, () => resumed++);
    for (let i = 0; i < 4; i++) assert.ok(body.append(Buffer.alloc(60_000)));
  }
  for (const body of bodies) assert.equal(body.append(Buffer.alloc(60_000)), false);
  await turn();
  assert.equal(resumed, 1);
  assert.deepEqual([bodies[0]!.isWaiting, bodies[1]!.isWaiting], [false, true]);
  bodies[0]!.release();
  await turn();
  assert.equal(resumed, 2);
  bodies[1]!.release();
  assert.equal(memory.reserved, 0);
});
