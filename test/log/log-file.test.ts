import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { LogLines } from '#drumline/log/log-lines.js';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';
import { exchange, livePage } from '../store/exchanges.js';
import { FaultyDisk } from '../store/faulty-disk.js';
import { openStore } from '../store/open-store.js';
import { temporaryDirectory } from '../web/temporary-directory.js';
import { TestLog } from './make-log.js';

const URL_OF = (i: number): string => `http://h.example/${i}`;

function urls(disk: FaultyDisk, path: string): string[] {
  const lines = new LogLines(disk, path);
  const found: string[] = [];
  while (lines.next()) found.push(lines.parse()?.url ?? 'damaged');
  lines.close();
  return found;
}

test('lines are due for the file half a second after the first of them', () => {
  const disk = new MemoryDisk();
  const made = new TestLog(disk, 'part');
  assert.equal(made.log.delay(1e9), Number.POSITIVE_INFINITY);
  made.givenUp(URL_OF(1), 'X', { now: 5000 });
  made.givenUp(URL_OF(2), 'X', { now: 5400 });
  assert.deepEqual([made.log.delay(5000), made.log.delay(5499), made.log.delay(5600)], [500, 1, 0]);
  assert.equal(disk.files().get('part')?.length, 0);
  assert.ok(made.log.flush());
  assert.equal(made.log.delay(5600), Number.POSITIVE_INFINITY);
  assert.equal(Buffer.from(disk.files().get('part')!).toString().split('\n').length, 3);
  made.givenUp(URL_OF(3), 'X', { now: 9000 });
  assert.equal(made.log.delay(9000), 500);
  made.log.close();
});

for (const writesLeft of [0, 1, 3]) {
  test(`a log that finds the disk full after ${writesLeft} writes keeps its lines, in order, until there is room`, (t) => {
    const disk = new FaultyDisk();
    const path = join(temporaryDirectory(t), 'part');
    const made = new TestLog(disk, path);
    Object.assign(disk, { code: 'ENOSPC', writesLeft });
    let count = 0;
    for (; count < 3000; count++) made.givenUp(URL_OF(count), 'X');
    assert.ok(made.log.isBlocked);
    assert.equal(made.log.delay(1e9), Number.POSITIVE_INFINITY, 'the pause says when to try again');
    assert.equal(made.log.flush(), false);
    // Room for a little, then for all.
    disk.writesLeft = 2;
    assert.equal(made.log.flush(), false);
    made.givenUp(URL_OF(count++), 'X');
    disk.code = '';
    assert.equal(made.log.flush(), true);
    assert.equal(made.log.isBlocked, false);
    made.givenUp(URL_OF(count++), 'X');
    made.log.close();
    assert.deepEqual(
      urls(disk, path),
      Array.from({ length: count }, (_, i) => URL_OF(i)),
    );
  });
}

test('a log keeps a bounded amount without room, says so, and other failures are thrown at once', (t) => {
  const disk = new FaultyDisk();
  const made = new TestLog(disk, join(temporaryDirectory(t), 'part'));
  disk.code = 'ENOSPC';
  let kept = 0;
  assert.throws(
    () => {
      for (; kept < 100_000; kept++) made.givenUp(URL_OF(kept), 'X');
    },
    { code: 'LOG_FULL', message: /part: too many lines wait: no space left/ },
  );
  assert.ok(kept > 5000 && kept < 50_000, `${kept} lines`);
  assert.throws(() => made.log.save(), { code: 'LOG_FULL' });
  disk.code = 'EIO';
  assert.throws(() => made.log.flush(), /EIO/);
  assert.throws(() => made.log.close(), /EIO/);
});

test('no line of crawl.log is lost between a store and a log that share a full disk', (t) => {
  const directory = temporaryDirectory(t);
  const disk = new FaultyDisk();
  const store = openStore(directory, { disk });
  const path = join(directory, 'part');
  const made = new TestLog(disk, path);
  const count = 500;
  for (let i = 0; i < count; i++) {
    const page = exchange(URL_OF(i), livePage(200, [], `${i}`));
    store.store(page, ({ offset }) => {
      // The page found room, its line does not.
      if (i % 5 === 0) disk.code = 'ENOSPC';
      made.request(URL_OF(i), { offset, warc: 'x', via: URL_OF(i).repeat(80) });
    });
    if (i % 5 > 2) disk.code = '';
    if (made.log.isBlocked) made.log.flush();
    if (store.isBlocked) store.retry();
  }
  disk.code = '';
  store.close();
  made.log.close();
  assert.deepEqual(
    urls(disk, path),
    Array.from({ length: count }, (_, i) => URL_OF(i)),
  );
});
