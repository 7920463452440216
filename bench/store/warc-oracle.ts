/**
 * `npm run bench -- warc-oracle [CRAWL_DIR...]`: warcio reads all that drumline stored, and must find the records that
 * the report counts, where the index says, with the bytes that our reader gives. Without directories, crawls are made
 * for it, and exchanges that trip up readers are stored.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allocateStoreBoard, StoreBoard } from '#drumline/boards/store-board.js';
import { nodeDisk } from '#drumline/model/disk.js';
import type { Report } from '#drumline/run/report.js';
import type { Exchange, StoredDigests } from '#drumline/store/page-store.js';
import { WarcFiles } from '#drumline/store/warc-files.js';
import { warcRecords } from '#drumline/store/warc-reader.js';
import { WarcStore } from '#drumline/store/warc-store.js';
import { loadWarcio, type Warcio } from './warcio.js';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
const EXCHANGES = new URL('../../test/store/exchanges.js', import.meta.url).href;
const WEBS = [
  'synthetic:pages=1500',
  'synthetic:pages=2000,dead=0.05,redirects=0.1,robots=0.3,seed=2',
  'synthetic:pages=3000,size=1500,seed=3',
];

export async function run(args: string[]): Promise<void> {
  const warcio = await loadWarcio();
  if (args.length > 0) {
    for (const directory of args) await checkCrawl(warcio, directory);
    return;
  }
  const directory = mkdtempSync(join(tmpdir(), 'drumline-oracle-'));
  try {
    await checkOddExchanges(warcio, join(directory, 'odd'));
    for (const [i, web] of WEBS.entries()) {
      const out = join(directory, `crawl-${i}`);
      const words = ['--web', web, '--store', 'warc', '--warc-size', '2MB', '--min-free', '0', '--out', out];
      execFileSync(process.execPath, [MAIN, '--agents', '3', ...words, '--progress', 'none']);
      await checkCrawl(warcio, out);
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** warcio counts what the report counts; zcat reads every file; each line of the index is a record of warcio's. */
async function checkCrawl(warcio: Warcio, directory: string): Promise<void> {
  const report = JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8')) as Report;
  const records: Record<string, number> = {};
  const places = new Map<string, string>();
  const folder = join(directory, 'warc');
  const names = readdirSync(folder);
  for (const name of names) {
    const path = join(folder, name);
    execFileSync('zcat', [path], { stdio: ['ignore', 'ignore', 'inherit'] });
    for (const { type, url, offset, length } of await compare(warcio, path)) {
      records[type] = (records[type] ?? 0) + 1;
      if (type === 'response' || type === 'revisit') places.set(`${name} ${offset} ${length}`, url);
    }
  }
  const { warcinfo, request, response, revisit, metadata } = report.store!.records;
  const counted = { warcinfo, request, response, revisit, metadata };
  for (const [type, count] of Object.entries(counted))
    assert.equal(records[type] ?? 0, count, `${directory}: ${type} records`);
  const lines = readFileSync(join(directory, 'index.cdxj'), 'latin1').split('\n').filter(Boolean);
  for (const line of lines) {
    const { url, filename, offset, length } = JSON.parse(line.slice(line.indexOf(' {'))) as Record<
      string,
      string
    >;
    assert.equal(places.get(`${filename} ${offset} ${length}`), url, line);
  }
  // What agents that died stored twice is in the files twice.
  if (report.restarts === 0) assert.equal(lines.length, places.size);
  else assert.ok(lines.length <= places.size);
  const all = Object.values(records).reduce((sum, count) => sum + count, 0);
  console.log(
    `${report.web}: ${names.length} files, ${all} records, as the report says; ${lines.length} in the index`,
  );
}

interface Found {
  readonly type: string;
  readonly url: string;
  readonly offset: number;
  readonly length: number;
}

/** The records of a file, which are the same for warcio and for our reader, byte for byte. */
async function compare(warcio: Warcio, path: string): Promise<Found[]> {
  const file = nodeDisk.open(path, 'read');
  const ours = warcRecords(file, (offset, what) => assert.fail(`${path} ${offset}: ${what}`));
  const found: Found[] = [];
  for await (const { type, url, offset, length, block } of warcio.records(path)) {
    const { value: mine } = ours.next();
    assert.equal(mine?.offset, offset, path);
    assert.equal(mine.length, length, `${path} ${offset}`);
    assert.equal(mine.headers.get('warc-type'), type);
    assert.equal(mine.headers.get('warc-target-uri') ?? '', url);
    assert.ok(Buffer.from(mine.block).equals(block), `${path} ${offset}: other bytes`);
    found.push({ type, url, offset, length });
  }
  assert.equal(ours.next().done, true, path);
  file.close();
  return found;
}

async function checkOddExchanges(warcio: Warcio, directory: string): Promise<void> {
  const { DigestMap, oddExchanges } = (await import(EXCHANGES)) as {
    DigestMap: new () => StoredDigests;
    oddExchanges: () => Map<string, Exchange>;
  };
  const odd = oddExchanges();
  nodeDisk.makeDirectory(directory);
  const store = new WarcStore({
    disk: nodeDisk,
    files: new WarcFiles(directory, 0, Date.now()),
    indexPart: join(directory, 'part'),
    maxBytes: 1e9,
    level: 3,
    digests: new DigestMap(),
    written: new StoreBoard(allocateStoreBoard(1), 0),
    info: { software: 'bench/1' },
    requestHeaders: ['user-agent', 'bench/1'],
  });
  let file = '';
  for (const exchange of odd.values()) {
    store.store(exchange, (at) => {
      file = join(directory, at.file);
    });
  }
  store.close();
  const found = await compare(warcio, file);
  const payloads = await warcio.payloads(file);
  for (const [name, { url, page }] of odd) {
    const payload = page.received!.bytes.subarray(0, page.received!.length);
    const response = payloads.get(url);
    assert.equal(response?.status, page.status, name);
    assert.ok(Buffer.from(response.payload).equals(payload), `${name}: another payload`);
  }
  console.log(`odd exchanges: ${odd.size} payloads and ${found.length} records come back byte for byte`);
}
