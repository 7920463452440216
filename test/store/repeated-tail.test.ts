/** An agent that died goes on behind what it stored; an exchange is fetched once more. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allocateStoreBoard, StoreBoard } from '#drumline/boards/store-board.js';
import type { StoreState } from '#drumline/store/page-store.js';
import { temporaryDirectory } from '../web/temporary-directory.js';
import { DigestMap, exchange, livePage } from './exchanges.js';
import { indexLines, openStore, readFiles } from './open-store.js';

type Store = ReturnType<typeof openStore>;

const page = (i: number, body = `page ${i}`) =>
  exchange(`http://a.example/${i}`, livePage(200, ['content-type', 'text/html'], body));
const indexed = (directory: string): string[] =>
  indexLines(directory).map((line) => /"url": "http:..a.example.([^"]*)"/.exec(line)![1]!);

function add(store: Store, from: number, to: number): void {
  for (let i = from; i < to; i++) store.store(page(i), () => {});
}

/** As a thread that dies leaves it: nothing is closed, and what is in no file is gone. */
function lives(directory: string) {
  const digests = new DigestMap();
  const written = new StoreBoard(allocateStoreBoard(4), 3);
  const open = (more: Parameters<typeof openStore>[1] = {}): Store =>
    openStore(directory, { digests, written, maxBytes: 3000, ...more });
  return {
    open,
    /** From the checkpoint `generation`, whose state is `saved`. */
    again: (generation: number, saved: StoreState): Store => {
      const { serial, offset, counts } = written.last!;
      const { name } = readFiles(directory).find((file) => file.name.includes(`-0000${serial}.`))!;
      return open({
        state: { file: name.replace('.open', ''), serial, offset, index: saved.index, counts },
        tail: { serial: saved.serial, offset: saved.offset, saved: written.savedAfter(generation) },
      });
    },
  };
}

test('bodies that were stored stay in files and index, and are not stored again', (t) => {
  const directory = temporaryDirectory(t);
  const { open, again } = lives(directory);
  const first = open();
  add(first, 0, 5);
  const saved = first.save('', 1);
  add(first, 5, 20);
  first.store(page(20, ''), () => {});
  first.store(page(21, 'page 7'), () => {});

  const second = again(1, saved);
  const places: string[] = [];
  for (let i = 5; i < 20; i++) second.store(page(i), ({ file, offset }) => places.push(`${file} ${offset}`));
  second.store(page(20, ''), () => {});
  second.store(page(21, 'page 7'), () => {});
  second.store(page(6, 'changed'), () => {});
  const { counts } = second;
  second.close();

  const all = readFiles(directory).flatMap(({ name, records }) =>
    records.map((record) => ({ name, ...record })),
  );
  const responses = all.filter(({ headers }) => headers.get('warc-type') === 'response');
  assert.equal(responses.length, 23, 'twenty pages, the changed one, and twice the empty one');
  assert.deepEqual(
    places,
    responses.slice(5, 20).map(({ name, offset }) => `${name} ${offset}`),
  );
  assert.equal(counts.records['response'], 23);
  assert.equal(counts.records['revisit'], 2);
  assert.equal(
    counts.bytes,
    all.reduce((sum, { length }) => sum + length, 0),
  );
  assert.deepEqual(
    indexed(directory).sort(),
    [...Array.from({ length: 22 }, (_, i) => `${i}`), '6'].sort(),
    'each once, and the changed one with both bodies',
  );
});

test('a checkpoint that the agent had written its part of is written again as it was', (t) => {
  const directory = temporaryDirectory(t);
  const { open, again } = lives(directory);
  const first = open();
  add(first, 0, 5);
  const saved = first.save('', 1);
  add(first, 5, 12);
  const next = first.save('', 2);
  add(first, 12, 30);

  const second = again(1, saved);
  const rewritten = second.save('', 2);
  assert.deepEqual({ ...rewritten, index: 0 }, { ...next, index: 0 });
  add(second, 5, 12);
  const third = again(1, saved);
  assert.deepEqual(third.save('', 2), rewritten, 'also by a third life');
  assert.notEqual(third.save('', 3).serial, next.serial);

  // All threads go back to that checkpoint.
  const resumed = open({ state: rewritten });
  add(resumed, 30, 32);
  resumed.close();
  const stored = readFiles(directory).flatMap(({ records }) => records);
  const urls = stored.flatMap(({ headers }) =>
    headers.get('warc-type') === 'response' ? [headers.get('warc-target-uri')!.slice(17)] : [],
  );
  assert.deepEqual(urls, [...Array.from({ length: 12 }, (_, i) => `${i}`), '30', '31']);
  assert.deepEqual(indexed(directory), urls);
});
