import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { StoreState } from '#drumline/store/page-store.js';
import { temporaryDirectory } from '../web/temporary-directory.js';
import { loadState } from './crash-writer.js';
import { exchange, livePage } from './exchanges.js';
import { filesIn, indexLines, openStore, readFile, readFiles } from './open-store.js';

const WRITER = fileURLToPath(new URL('./crash-writer.js', import.meta.url));
const KILLS = 4;

/** Runs the writer until it acknowledged so many pages, and kills it; returns what it said. */
async function killAfter(directory: string, pages: number): Promise<string[]> {
  const writer = spawn(process.execPath, [WRITER, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of writer.stdout) {
    text += chunk;
    if (text.split('\n').length > pages) writer.kill('SIGKILL');
  }
  return text.split('\n').slice(0, -1);
}

/** The pages stored, in the order of their records. */
const storedPages = (directory: string): (string | undefined)[] =>
  readFiles(directory)
    .flatMap(({ records }) => records)
    .filter(({ headers }) => headers.get('warc-type') === 'response')
    .map(({ headers }) => headers.get('warc-target-uri'));

const urls = (count: number): string[] => Array.from({ length: count }, (_, i) => `http://a.example/${i}`);

test('kill -9 while writing: what was acknowledged is whole, the last record at most is cut, and it goes on', async (t) => {
  const directory = temporaryDirectory(t);
  for (let kill = 0; kill < KILLS; kill++) {
    const said = await killAfter(directory, 40 + 97 * kill);
    const targets = new Map<string, string>();
    for (const { name, records, damages } of readFiles(directory)) {
      assert.ok(damages.length === 0 || (name.endsWith('.open') && damages.length === 1), name);
      for (const { headers, offset } of records) {
        if (headers.get('warc-type') !== 'response') continue;
        targets.set(`${name.replace(/\.open$/, '')} ${offset}`, headers.get('warc-target-uri')!);
      }
    }
    for (const line of said) {
      const [page, file, offset] = line.split(' ');
      const url = targets.get(`${file} ${offset}`);
      assert.equal(url, `http://a.example/${page}`, `after kill ${kill}: ${line}`);
    }
  }
  const { next, store: state } = loadState(directory)!;
  const store = openStore(directory, { state });
  const { counts } = store;
  store.close();
  const files = readFiles(directory);
  for (const { name, damages } of files) {
    assert.deepEqual(damages, [], name);
    assert.ok(name.endsWith('.warc.gz'), name);
  }
  assert.deepEqual(storedPages(directory), urls(next));
  assert.equal(indexLines(directory).length, next);
  assert.equal(counts.files, files.length);
  assert.deepEqual(counts.records, {
    warcinfo: files.length,
    request: next,
    response: next,
    revisit: 0,
    metadata: next,
  });
});

test('a file cut off anywhere: its last record is lost at most, and the reader says where', (t) => {
  const directory = temporaryDirectory(t);
  const store = openStore(directory);
  for (let i = 0; i < 3; i++)
    store.store(exchange(`http://a.example/${i}`, livePage(200, [], `page ${i}`)), () => {});
  store.close();
  const [file] = readFiles(directory);
  const path = join(directory, 'warc', file!.name);
  const bytes = readFileSync(path);
  const ends = file!.records.map(({ offset, length }) => offset + length);
  for (let size = ends.at(-3)!; size <= bytes.length; size++) {
    writeFileSync(path, bytes.subarray(0, size));
    const end = ends.findLast((at) => at <= size)!;
    const { records, damages } = readFile(path);
    assert.equal(records.length, ends.indexOf(end) + 1, `cut at ${size}`);
    assert.deepEqual(
      damages.map(([offset]) => offset),
      end === size ? [] : [end],
    );
  }
});

test('a store goes on where it was saved, and nothing of what came after stays', (t) => {
  const directory = temporaryDirectory(t);
  const add = (store: ReturnType<typeof openStore>, from: number, to: number): void => {
    for (let i = from; i < to; i++)
      store.store(exchange(`http://a.example/${i}`, livePage(200, [], `page ${i}`.repeat(50))), () => {});
  };
  const maxBytes = 20_000;
  let state: StoreState | undefined;
  let done = 0;
  for (const [pages, lost] of [
    [5, 3],
    [20, 30],
    [1, 0],
    [0, 17],
    [17, 1],
    [14, 0],
    [0, 1],
  ] as const) {
    // Another start has other names of files.
    const files = filesIn(directory, Date.UTC(2030, 0, 2, done));
    const store = openStore(directory, { maxBytes, state, files });
    add(store, done, done + pages);
    state = store.save('', 1);
    done += pages;
    // The process dies here: what follows is written, perhaps to other files, and must not count.
    add(store, 1000, 1000 + lost);
  }
  const last = openStore(directory, {
    maxBytes,
    state,
    files: filesIn(directory, Date.UTC(2030, 0, 2, done)),
  });
  add(last, done, done + 2);
  last.close();
  const files = readFiles(directory);
  for (const { name, damages } of files) {
    assert.deepEqual(damages, []);
    assert.ok(name.endsWith('.warc.gz'), name);
  }
  assert.deepEqual(storedPages(directory), urls(done + 2));
  assert.equal(indexLines(directory).length, done + 2);
  assert.equal(last.counts.files, files.length);
  assert.equal(
    last.counts.bytes,
    files.reduce((sum, { name }) => sum + readFileSync(join(directory, 'warc', name)).length, 0),
  );
  assert.ok(files.length > 2);
});

test('a file that was closed by a stop stays as it was when the store goes on', (t) => {
  const directory = temporaryDirectory(t);
  const page = (i: number) => exchange(`http://a.example/${i}`, livePage(200, [], `page ${i}`));
  const before = openStore(directory);
  before.store(page(0), () => {});
  const state = before.save('', 1);
  before.close();
  const [name] = readdirSync(join(directory, 'warc'));
  const bytes = readFileSync(join(directory, 'warc', name!));
  const after = openStore(directory, { state });
  after.store(page(1), () => {});
  after.close();
  assert.deepEqual(readFileSync(join(directory, 'warc', name!)), bytes);
  assert.deepEqual(storedPages(directory), urls(2));
  assert.equal(after.counts.files, 2);
});

test('a file that is shorter than it was saved is damage, with its place', (t) => {
  const directory = temporaryDirectory(t);
  const store = openStore(directory);
  store.store(exchange('http://a.example/', livePage(200, [], 'page')), () => {});
  const state = store.save('', 1);
  store.close();
  const path = join(directory, 'warc', state.file);
  writeFileSync(path, readFileSync(path).subarray(0, 100));
  assert.throws(() => openStore(directory, { state }), { code: 'DAMAGED_FILE' });
});

test('a store that begins again removes what it stored before', (t) => {
  const directory = temporaryDirectory(t);
  for (let i = 0; i < 2; i++) {
    const store = openStore(directory);
    store.store(exchange(`http://a.example/${i}`, livePage(200, [], 'page')), () => {});
    store.close();
  }
  assert.deepEqual(storedPages(directory), ['http://a.example/1']);
  assert.equal(indexLines(directory).length, 1);
});
