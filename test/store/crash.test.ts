import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { StorePosition } from '#drumline/store/page-store.js';
import { temporaryDirectory } from '../web/temporary-directory.js';
import { exchange, livePage } from './exchanges.js';
import { indexLines, openStore, readFile, readFiles } from './open-store.js';

const WRITER = fileURLToPath(new URL('./crash-writer.js', import.meta.url));
const KILLS = 4;

/** Runs the writer until it acknowledged so many pages, and kills it; returns what it said. */
async function killAfter(directory: string, first: number, pages: number): Promise<string[]> {
  const writer = spawn(process.execPath, [WRITER, directory, `${first}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of writer.stdout) {
    text += chunk;
    if (text.split('\n').length > pages) writer.kill('SIGKILL');
  }
  return text.split('\n').slice(0, -1);
}

test('kill -9 while writing: what was acknowledged is whole, and the last record at most is cut', async (t) => {
  const directory = temporaryDirectory(t);
  let next = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const said = await killAfter(directory, next, 40 + 97 * kill);
    const files = readFiles(directory);
    const targets = new Map<string, string>();
    for (const { name, records, damages } of files) {
      assert.ok(damages.length === 0 || (name.endsWith('.open') && damages.length === 1), name);
      for (const { headers, offset } of records) {
        if (headers.get('warc-type') !== 'response') continue;
        targets.set(`${name.replace(/\.open$/, '')} ${offset}`, headers.get('warc-target-uri')!);
      }
    }
    for (const line of said) {
      const [page, file, offset] = line.split(' ');
      assert.equal(
        targets.get(`${file} ${offset}`),
        `http://a.example/${page}`,
        `after kill ${kill}: ${line}`,
      );
    }
    next += said.length + 10;
  }
  openStore(directory).close();
  for (const { name, damages } of readFiles(directory)) {
    assert.deepEqual(damages, [], name);
    assert.ok(name.endsWith('.warc.gz'), name);
  }
});

test('a file cut off anywhere: its last record is lost at most, the reader says where, and the tail is cut', (t) => {
  const directory = temporaryDirectory(t);
  const store = openStore(directory);
  for (let i = 0; i < 3; i++)
    store.store(exchange(`http://a.example/${i}`, livePage(200, [], `page ${i}`)), () => {});
  store.close();
  const [file] = readFiles(directory);
  const whole = join(directory, 'warc', file!.name);
  const bytes = readFileSync(whole);
  const ends = file!.records.map(({ offset, length }) => offset + length);
  for (let size = ends.at(-3)!; size <= bytes.length; size += 7) {
    truncateSync(whole, 0);
    const torn = `${whole}.open`;
    writeFileSync(torn, bytes.subarray(0, size));
    const end = ends.findLast((at) => at <= size)!;
    const { records, damages } = readFile(torn);
    assert.equal(records.length, ends.indexOf(end) + 1, `cut at ${size}`);
    assert.deepEqual(
      damages.map(([offset]) => offset),
      end === size ? [] : [end],
    );
    openStore(directory).close();
    assert.equal(statSync(whole).size, end);
  }
});

test('a store goes on at the last position that was durable', (t) => {
  const directory = temporaryDirectory(t);
  const add = (store: ReturnType<typeof openStore>, from: number, to: number): void => {
    for (let i = from; i < to; i++)
      store.store(exchange(`http://a.example/${i}`, livePage(200, [], `page ${i}`.repeat(50))), () => {});
  };
  const maxBytes = 20_000;
  let position: StorePosition | undefined;
  let done = 0;
  for (const [pages, lost] of [
    [5, 3],
    [20, 30],
    [1, 0],
    [0, 17],
    [17, 1],
  ] as const) {
    const store = openStore(directory, { maxBytes, ...(position === undefined ? {} : { position }) });
    add(store, done, done + pages);
    position = store.commit();
    done += pages;
    // The process dies here: what follows is written, perhaps to other files, and must not count.
    add(store, 1000, 1000 + lost);
  }
  const last = openStore(directory, { maxBytes, position: position! });
  add(last, done, done + 2);
  last.close();
  const targets = readFiles(directory).flatMap(({ name, records, damages }) => {
    assert.deepEqual(damages, []);
    assert.ok(name.endsWith('.warc.gz'), name);
    return records.filter(({ headers }) => headers.get('warc-type') === 'response');
  });
  assert.deepEqual(
    targets.map(({ headers }) => headers.get('warc-target-uri')),
    Array.from({ length: done + 2 }, (_, i) => `http://a.example/${i}`),
  );
  assert.equal(indexLines(directory).length, done + 2);
  assert.ok(readdirSync(join(directory, 'warc')).length > 2);
});
