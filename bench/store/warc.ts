/**
 * `npm run bench -- warc [--pages 4000] [--crawl 20000] [--repeat 3] [--corpus FOLDER_OR_TGZ]`: what storing costs a core,
 * at several levels, beside `gzip -6` of the same bytes; how long one page keeps the thread; and whole crawls with
 * `--store warc` beside `--store none`.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import { DigestDrum } from '#drumline/archive/digest-drum.js';
import { allocateStoreBoard, StoreBoard } from '#drumline/boards/store-board.js';
import { nodeDisk } from '#drumline/model/disk.js';
import { type FetchedPage, WHOLE_ANSWER } from '#drumline/model/web.js';
import type { Report } from '#drumline/run/report.js';
import { WarcFiles } from '#drumline/store/warc-files.js';
import { WarcStore } from '#drumline/store/warc-store.js';
import { openWeb } from '#drumline/web/open-web.js';
import { timed } from '../http/crawlers.js';
import { readCorpus } from '../parse/corpus.js';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
const DEFAULT_LEVEL = 3;
const LEVELS = [0, 1, DEFAULT_LEVEL, 6];

interface Cost {
  /** Of processor time, in all. */
  readonly seconds: number;
  /** The most that one page took, in ms on the clock. */
  readonly longest: number;
  /** Bytes written. */
  readonly bytes: number;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

function syntheticPages(count: number): Buffer[] {
  const web = openWeb(`synthetic:pages=${count}`);
  const fetcher = web.fetcher();
  return Array.from({ length: count }, (_, i) => {
    const url = Buffer.from(web.truth!.urlOf(i));
    let body = Buffer.alloc(0);
    fetcher.fetch(url, 0, url.length, '', (page) => {
      body = Buffer.from(page.body.subarray(0, page.bodyLength));
    });
    return body;
  });
}

const HEADERS = [
  ...['Server', 'nginx/1.22.1', 'Date', 'Mon, 05 Jan 2026 12:00:00 GMT', 'Content-Type', 'text/html'],
  ...['Connection', 'keep-alive', 'ETag', '"5f3d2-8a1b"', 'Cache-Control', 'max-age=600'],
];

/** As the live Web sends it. */
function asPage(body: Buffer, isCoded: boolean): FetchedPage {
  const bytes = isCoded ? gzipSync(body) : body;
  const headers = [...HEADERS, ...(isCoded ? ['Content-Encoding', 'gzip'] : [])];
  return {
    ...WHOLE_ANSWER,
    status: 200,
    statusLine: 'HTTP/1.1 200 OK',
    rawHeaders: headers.map((text) => Buffer.from(text)),
    body,
    bodyLength: body.length,
    contentType: 'text/html',
    location: '',
    pageNumber: -1,
    received: { bytes, length: bytes.length, isTruncated: false },
  };
}

function storeAll(pages: readonly FetchedPage[], level: number, directory: string): Cost {
  rmSync(directory, { recursive: true, force: true });
  nodeDisk.makeDirectory(directory);
  const store = new WarcStore({
    disk: nodeDisk,
    files: new WarcFiles(join(directory, 'warc'), 0, Date.now()),
    indexPart: join(directory, 'part'),
    maxBytes: 1e9,
    level,
    digests: new DigestDrum(nodeDisk, join(directory, 'drum'), 1 << 20, undefined),
    written: new StoreBoard(allocateStoreBoard(1), 0),
    info: { software: 'bench/1' },
    requestHeaders: ['user-agent', 'bench/1', 'accept', 'text/html'],
  });
  const before = process.cpuUsage();
  let longest = 0;
  for (const [i, page] of pages.entries()) {
    const start = performance.now();
    const [url, via] = [`http://host${i % 64}.example/some/page-${i}.html`, 'http://host.example/'];
    const fetched = {
      date: start,
      fetchTime: 12,
      ip: '192.0.2.1',
      via,
      hops: 3,
      outlinks: 40,
      isRepeated: false,
    };
    store.store({ url, page, ...fetched }, () => {});
    longest = Math.max(longest, performance.now() - start);
  }
  const { user, system } = process.cpuUsage(before);
  store.close();
  return { seconds: (user + system) / 1e6, longest, bytes: store.counts.bytes };
}

/** The alternative to compressing in the agent's thread: in the thread pool, a few pages at a time. */
async function poolCost(bodies: readonly Buffer[]): Promise<number> {
  const before = process.cpuUsage();
  let next = 0;
  const work = async (): Promise<void> => {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
      // The fetcher uses its buffers again: what waits has to be copied.
      const copy = Buffer.from(body);
      await new Promise<void>((done) => gzip(copy, { level: DEFAULT_LEVEL }, () => done()));
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / bodies.length;
}

function syncCost(bodies: readonly Buffer[]): number {
  const before = process.cpuUsage();
  for (const body of bodies) gzipSync(body, { level: DEFAULT_LEVEL, chunkSize: body.length + 1024 });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / bodies.length;
}

async function measureStalls(bodies: readonly Buffer[], repeat: number, directory: string): Promise<void> {
  const pool: number[] = [];
  const sync: number[] = [];
  for (let round = 0; round < repeat; round++) {
    pool.push(await poolCost(bodies));
    sync.push(syncCost(bodies));
  }
  console.log(
    `compressing at level ${DEFAULT_LEVEL}: ${median(sync).toFixed(0)} us of processor a page in the thread itself, ` +
      `${median(pool).toFixed(0)} through the thread pool`,
  );
  const text = Buffer.concat(bodies).subarray(0, 10e6);
  const large: [string, Buffer][] = [
    ['markup', text],
    ['noise', randomBytes(10e6)],
  ];
  for (const [what, body] of large) {
    const times = Array.from({ length: repeat }, () =>
      storeAll([asPage(body, false)], DEFAULT_LEVEL, join(directory, 'store')),
    );
    const longest = median(times.map((cost) => cost.longest));
    console.log(
      `a body of ${(body.length / 1e6).toFixed(0)} MB of ${what} keeps the thread ${longest.toFixed(0)} ms`,
    );
  }
}

async function gzipAll(bodies: readonly Buffer[], level: number, directory: string): Promise<number> {
  const path = join(directory, 'bodies');
  writeFileSync(path, Buffer.concat(bodies));
  return (await timed(['gzip', `-${level}`, '-c', path])).cpu;
}

async function measureStore(bodies: readonly Buffer[], repeat: number, directory: string): Promise<void> {
  const plain = bodies.map((body) => asPage(body, false));
  const coded = bodies.map((body) => asPage(body, true));
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0);
  console.log(`${bodies.length} pages, ${(bytes / 1e6).toFixed(0)} MB; per core; median of ${repeat}`);
  const cases: [string, () => Promise<Cost> | Cost, number][] = [];
  for (const level of LEVELS)
    cases.push([`store, level ${level}`, () => storeAll(plain, level, join(directory, 'store')), 3]);
  cases.push([
    `store, level ${DEFAULT_LEVEL}, bodies came gzipped`,
    () => storeAll(coded, DEFAULT_LEVEL, join(directory, 'store')),
    3,
  ]);
  for (const level of [DEFAULT_LEVEL, 6])
    cases.push([
      `gzip -${level}`,
      async () => ({ seconds: await gzipAll(bodies, level, directory), longest: 0, bytes: 0 }),
      0,
    ]);
  const costs = cases.map(() => [] as Cost[]);
  for (let round = 0; round < repeat; round++)
    for (const [i, [, measure]] of cases.entries()) costs[i]!.push(await measure());
  const seconds = costs.map((all) => median(all.map((cost) => cost.seconds)));
  const gzip = seconds.at(-1)!;
  for (const [i, [name, , records]] of cases.entries()) {
    const [cost] = costs[i]!;
    const more =
      records === 0
        ? ''
        : `, ${((records * bodies.length) / seconds[i]!).toFixed(0)} records/s, ${((seconds[i]! * 1e6) / bodies.length).toFixed(0)} us a page, ` +
          `longest ${median(costs[i]!.map(({ longest }) => longest)).toFixed(1)} ms, ${((100 * cost!.bytes) / bytes).toFixed(0)}% of the bytes`;
    console.log(
      `${name}: ${(bytes / 1e6 / seconds[i]!).toFixed(0)} MB/s, ${(gzip / seconds[i]!).toFixed(2)} x gzip -6${more}`,
    );
  }
}

function crawl(agents: number, pages: number, store: string, directory: string): Report {
  const out = join(directory, 'crawl');
  const words = ['--agents', `${agents}`, '--web', `synthetic:pages=${pages}`, '--store', store];
  execFileSync(process.execPath, [MAIN, ...words, '--min-free', '0', '--progress', 'none', '--out', out]);
  const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report;
  rmSync(out, { recursive: true });
  return report;
}

function measureCrawls(pages: number, repeat: number, directory: string): void {
  for (const agents of [1, 2]) {
    const runs: Record<string, Report[]> = { none: [], warc: [] };
    for (let round = 0; round < repeat; round++)
      for (const [store, reports] of Object.entries(runs))
        reports.push(crawl(agents, pages, store, directory));
    const speed = (store: string): number => median(runs[store]!.map((report) => report.pagesPerSecond));
    const cpu = (store: string): number =>
      median(runs[store]!.map((report) => (report.cpuSeconds * 1e6) / report.pages));
    console.log(
      `crawl of ${pages} pages, ${agents} agents: ${speed('warc').toFixed(0)} pages/s stored, ${speed('none').toFixed(0)} not, ` +
        `ratio ${(speed('warc') / speed('none')).toFixed(2)}; processor ${cpu('warc').toFixed(0)} and ${cpu('none').toFixed(0)} us a page`,
    );
  }
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      pages: { type: 'string', default: '4000' },
      crawl: { type: 'string', default: '20000' },
      repeat: { type: 'string', default: '3' },
      corpus: { type: 'string' },
    },
  });
  const directory = mkdtempSync(join(tmpdir(), 'drumline-warc-'));
  const repeat = Number(values.repeat);
  try {
    const bodies =
      values.corpus === undefined
        ? syntheticPages(Number(values.pages))
        : readCorpus(values.corpus, '').map(({ bytes }) => Buffer.from(bytes));
    await measureStore(bodies, repeat, directory);
    await measureStalls(bodies, repeat, directory);
    if (Number(values.crawl) > 0) measureCrawls(Number(values.crawl), repeat, directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
