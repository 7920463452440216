import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allocateMesh } from '#drumline/ring/mesh.js';
import { allocateRings, readEmptyHeads, ringAt } from '#drumline/ring/ring-slabs.js';
import { SpscConsumer, SpscProducer } from '#drumline/ring/spsc-ring.js';

/** Some to a slab, and fewer in the last one. */
const slabBytes = 3 * (128 + 64);

test('rings that share their memory do not see each other', () => {
  const rings = allocateRings(8, 64, slabBytes);
  assert.equal(rings.slabs.length, 3);
  const producers = Array.from({ length: 8 }, (_, i) => new SpscProducer(ringAt(rings, i)));
  for (const [i, producer] of producers.entries()) {
    const record = new Uint8Array(60).fill(i + 1);
    assert.ok(producer.tryWrite(record, 0, 60));
    assert.ok(!producer.tryWrite(record, 0, 60), 'it is full');
    producer.publish();
  }
  for (let i = 0; i < 8; i++) {
    const taken: number[] = [];
    const consumer = new SpscConsumer(ringAt(rings, i));
    consumer.drain(9, (bytes, start, end) => taken.push(end - start, ...new Set(bytes.subarray(start, end))));
    assert.deepEqual(taken, [60, i + 1]);
  }
  assert.throws(() => ringAt(rings, 8), /ring 8 of 8/);
  assert.throws(() => allocateRings(8, 100), /no power of two/);
});

test('a third thread sees when all rings are empty, and what went through them', () => {
  const rings = allocateRings(8, 64, slabBytes);
  const heads = new Int32Array(8);
  assert.ok(readEmptyHeads(rings, heads));
  const producer = new SpscProducer(ringAt(rings, 7));
  producer.tryWrite(new Uint8Array(8), 0, 8);
  producer.publish();
  assert.ok(!readEmptyHeads(rings, heads));
  new SpscConsumer(ringAt(rings, 7)).drain(1, () => {});
  assert.ok(readEmptyHeads(rings, heads));
  assert.deepEqual([...heads], [0, 0, 0, 0, 0, 0, 0, 12]);
});

test('the rings of 500 agents come in a few pieces: each of them is sent to each agent', () => {
  const { rings } = allocateMesh(501, 4096);
  assert.equal(rings.count, 501 * 501);
  assert.ok(rings.slabs.length <= 2, `${rings.slabs.length} slabs`);
});
