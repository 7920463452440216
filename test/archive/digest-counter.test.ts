import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { DigestAsker } from '#drumline/archive/digest-asker.js';
import { DigestCounter } from '#drumline/archive/digest-counter.js';
import { ActivityPoster, allocateActivityBoard } from '#drumline/boards/activity-board.js';
import { allocateDigestBoard } from '#drumline/boards/digest-board.js';
import type { StoredPlace } from '#drumline/store/page-store.js';

const ASKER = import.meta.resolve('#drumline/archive/digest-asker.js');
const COUNTER = import.meta.resolve('#drumline/archive/digest-counter.js');
const ACTIVITY = import.meta.resolve('#drumline/boards/activity-board.js');
const MESH = import.meta.resolve('#drumline/ring/mesh.js');
const EXCHANGES = new URL('../store/exchanges.js', import.meta.url);
const place = (agent: number, offset: number): StoredPlace => ({ agent, serial: 2 ** 23 - 1, offset });
const digestOf = (i: number): Uint8Array => createHash('sha1').update(`${i}`).digest();

function thread(source: string, workerData: unknown): Worker {
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), { workerData });
}

/** Answers from a Map, some time after others began to ask, and fails when it is to be saved under the name `bad`. */
const KEEPER = `
  import { workerData } from 'node:worker_threads';
  import { DigestCounter } from ${JSON.stringify(COUNTER)};
  import { DigestMap } from ${JSON.stringify(EXCHANGES)};
  class Digests extends DigestMap {
    save(path) { if (path === 'bad') throw new Error('bad: no room'); }
  }
  const counter = new DigestCounter(workerData);
  counter.postLoaded();
  try { counter.serve(new Digests()); } catch {}
`;

/** Asks for the same digests as all others, each in an order of its own, and hands back what it was told. */
const AGENT = `
  import { parentPort, workerData } from 'node:worker_threads';
  import { DigestAsker } from ${JSON.stringify(ASKER)};
  const { memory, agent, digests } = workerData;
  const asker = new DigestAsker(memory, agent);
  const told = digests.map((digest, i) => {
    const at = (i * (2 * agent + 1)) % digests.length;
    const place = { agent, serial: 2 ** 23 - 1, offset: at };
    if (i % 2 === 0) asker.announce(digests[at], place);
    return [at, asker.find(digests[at], place, null)];
  });
  parentPort.postMessage(told);
`;

/** A filter of a few words is full soon, and all is asked for; another knows what is new, perhaps not from the start. */
for (const [filterBytes, isLoading] of [
  [16, false],
  [1 << 12, false],
  [1 << 16, false],
  [1 << 16, true],
] as const) {
  test(`of agents that come upon the same payloads at once, one is told that a payload is new, the others its place: filter of ${filterBytes} bytes, ${isLoading ? 'loading' : 'empty'}`, async () => {
    const agents = 3;
    const memory = allocateDigestBoard(agents, filterBytes, isLoading);
    const digests = Array.from({ length: 1 << 11 }, (_, i) => digestOf(i));
    const told = Array.from({ length: agents }, (_, agent) =>
      once(thread(AGENT, { memory, agent, digests }), 'message'),
    );
    const keeper = thread(KEEPER, memory);
    const answers = (await Promise.all(told)).map(
      ([pairs]) => new Map(pairs as [number, StoredPlace | null][]),
    );
    new DigestCounter(memory).close();
    await once(keeper, 'exit');
    for (const at of digests.keys()) {
      const first = answers.findIndex((told) => told.get(at) === null);
      for (const [agent, told] of answers.entries())
        assert.deepEqual(told.get(at), agent === first ? null : place(first, at));
    }
  });
}

test('notes are taken before an answer, however many there are, and whoever died over one', async () => {
  const memory = allocateDigestBoard(2, 1 << 16);
  const keeper = thread(KEEPER, memory);
  const [one, two] = [new DigestAsker(memory, 0), new DigestAsker(memory, 1)];
  // More than fit into the ring of notes.
  for (let i = 0; i < 2000; i++) assert.equal(one.find(digestOf(i), place(0, i), null), null);
  // As an agent leaves it that dies over a note.
  const NOTING_AT = 8192 + 64;
  Atomics.store(new Int32Array(memory.counter), NOTING_AT / 4, 1);
  for (let i = 0; i < 2000; i += 500) assert.deepEqual(two.find(digestOf(i), place(1, i), null), place(0, i));
  new DigestAsker(memory, 0);
  assert.equal(Atomics.load(new Int32Array(memory.counter), NOTING_AT / 4), 0);
  new DigestCounter(memory).close();
  await once(keeper, 'exit');
});

test('what is not where it was found is noted anew, once', async () => {
  const memory = allocateDigestBoard(2, 1 << 12);
  const keeper = thread(KEEPER, memory);
  const [one, two] = [new DigestAsker(memory, 0), new DigestAsker(memory, 1)];
  const digest = digestOf(7);
  const lost = place(0, 1);
  assert.equal(one.find(digest, lost, null), null);
  assert.equal(one.find(digest, place(0, 2), lost), null);
  assert.deepEqual(two.find(digest, place(1, 3), lost), place(0, 2));
  new DigestCounter(memory).close();
  await once(keeper, 'exit');
});

test('an agent gets the error of its question, and others are told that nobody answers any more', async () => {
  const memory = allocateDigestBoard(2, 1 << 12);
  const keeper = thread(KEEPER, memory);
  const [one, two] = [new DigestAsker(memory, 0), new DigestAsker(memory, 1)];
  one.save('good');
  assert.throws(() => one.save('bad'), /^DrumlineError: bad: no room$/);
  await once(keeper, 'exit');
  new DigestCounter(memory).abandon();
  assert.throws(() => two.find(digestOf(1), place(1, 0), null), /the keeper of digests is gone/);
  // Nor does an agent that is started now wait for the question that it died over.
  new DigestAsker(memory, 1);
});

/** Answers with the place of an agent 1 if whoever asks says that it waits. */
const WATCHER = `
  import { workerData } from 'node:worker_threads';
  import { DigestCounter } from ${JSON.stringify(COUNTER)};
  import { ActivityBoard } from ${JSON.stringify(ACTIVITY)};
  import { allocateMesh } from ${JSON.stringify(MESH)};
  const board = new ActivityBoard(workerData.activity, 1, allocateMesh(2, 4096));
  const find = (digest, place) => {
    // The question is there before the wait for the answer begins.
    for (const end = performance.now() + 5000; !board.isWaiting(0) && performance.now() < end; );
    return { ...place, agent: board.isWaiting(0) ? 1 : 0 };
  };
  new DigestCounter(workerData.memory).serve({ find });
`;

test('an agent that waits for the keeper is not expected to give signs of life', async () => {
  const memory = allocateDigestBoard(1, 16);
  const activity = allocateActivityBoard(1);
  const poster = new ActivityPoster(activity, 0);
  const asker = new DigestAsker(memory, 0, poster);
  const keeper = thread(WATCHER, { memory, activity });
  const wrong = place(0, 1);
  assert.deepEqual(asker.find(digestOf(1), place(0, 2), wrong), place(1, 2));
  assert.equal(new Int32Array(activity)[5], 0, 'the wait is over');
  new DigestCounter(memory).close();
  await once(keeper, 'exit');
});
