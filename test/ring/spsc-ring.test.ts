import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { allocateRing, SpscConsumer, SpscProducer } from '#drumline/ring/spsc-ring.js';
import { Random } from '#drumline/simulate/random.js';

test('records come out as they went in, in random batches, against an array', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = new Random(seed);
    const next = (n: number): number => random.below(n);
    const ring = allocateRing(64 << next(5));
    const producer = new SpscProducer(ring);
    const consumer = new SpscConsumer(ring);
    const expected: number[][] = [];
    for (let step = 0; step < 300; step++) {
      if (next(2) === 0) {
        const record = Uint8Array.from({ length: next(50) }, () => next(256));
        if (producer.tryWrite(record, 0, record.length)) expected.push([...record]);
        else assert.ok(producer.isBlocked, `seed ${seed}: a refused producer says so`);
      } else {
        producer.publish();
        consumer.drain(1 + next(5), (bytes, start, end) => {
          assert.deepEqual([...bytes.subarray(start, end)], expected.shift(), `seed ${seed}`);
        });
        consumer.takeBlocked();
      }
    }
    producer.publish();
    consumer.drain(1e9, (bytes, start, end) => {
      assert.deepEqual([...bytes.subarray(start, end)], expected.shift(), `seed ${seed}`);
    });
    assert.equal(expected.length, 0, `seed ${seed}`);
  }
});

test('nothing is seen before it is published, and an empty ring takes a record of its whole size', () => {
  const ring = allocateRing(64);
  const producer = new SpscProducer(ring);
  const consumer = new SpscConsumer(ring);
  const record = new Uint8Array(60).fill(1);
  for (let i = 0; i < 10; i++) {
    assert.ok(producer.tryWrite(record, 0, 60));
    assert.ok(consumer.isEmpty);
    assert.ok(!producer.tryWrite(record, 0, 0));
    assert.ok(producer.publish());
    assert.ok(!producer.publish());
    assert.equal(
      consumer.drain(9, () => {}),
      1,
    );
    assert.ok(consumer.takeBlocked());
    assert.ok(!consumer.takeBlocked());
  }
  assert.throws(() => allocateRing(100), /no power of two/);
});

test('a sequence crosses two threads in order', async () => {
  const records = 200_000;
  const ring = allocateRing(4096);
  const worker = new Worker(
    `const { workerData, parentPort } = require('node:worker_threads');
     import(workerData.module).then(({ SpscProducer }) => {
       const producer = new SpscProducer(workerData.ring);
       const record = new Uint8Array(64);
       const words = new Uint32Array(record.buffer);
       for (let i = 0; i < workerData.records; i++) {
         words[0] = i;
         while (!producer.tryWrite(record, 0, 4 + i % 60)) producer.publish();
         if (i % 7 === 0) producer.publish();
       }
       producer.publish();
     });`,
    { eval: true, workerData: { ring, records, module: import.meta.resolve('#drumline/ring/spsc-ring.js') } },
  );
  const consumer = new SpscConsumer(ring);
  let expected = 0;
  while (expected < records) {
    consumer.drain(1000, (bytes, start, end) => {
      const value = bytes[start]! | (bytes[start + 1]! << 8) | (bytes[start + 2]! << 16);
      assert.equal(value, expected);
      assert.equal(end - start, 4 + (expected % 60));
      expected++;
    });
    if (consumer.isEmpty) await new Promise(setImmediate);
  }
  await once(worker, 'exit');
});

test('a producer finds the room that its consumer made before it died, and did not say so', () => {
  const ring = allocateRing(64);
  const producer = new SpscProducer(ring);
  const record = new Uint8Array(28);
  assert.ok(producer.tryWrite(record, 0, 28) && producer.tryWrite(record, 0, 28));
  producer.publish();
  assert.ok(!producer.tryWrite(record, 0, 28));
  assert.ok(producer.isBlocked);
  // All that comes behind this would ring for the producer.
  new SpscConsumer(ring).drain(1, () => {});
  assert.ok(!producer.isBlocked);
  assert.ok(producer.tryWrite(record, 0, 28));
  assert.ok(!producer.tryWrite(record, 0, 28));
  assert.ok(producer.isBlocked, 'until then it does not look again');
});
