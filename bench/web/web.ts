/**
 * What making a synthetic page costs, beside copying the same bytes, walking its link plan, and reading pages
 * of the same size from a DiskWWW. Arguments: a synthetic spec (default `synthetic`).
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bench } from 'tinybench';
import type { Fetcher, Web } from '#drumline/model/web.js';
import { openWeb } from '#drumline/web/open-web.js';
import { packWeb } from '#drumline/web/pack-web.js';

/** Pages in a batch: one run of a task. */
const BATCH = 500;
const STRIDE = 7919;

function urlsOf(web: Web): Uint8Array[] {
  const { truth } = web;
  const encoder = new TextEncoder();
  return Array.from({ length: BATCH }, (_, i) => encoder.encode(truth!.urlOf((i * STRIDE) % truth!.pages)));
}

function fetchAll(fetcher: Fetcher, urls: readonly Uint8Array[]): number {
  let bytes = 0;
  for (const url of urls) {
    fetcher.fetch(url, 0, url.length, '', ({ bodyLength }) => {
      bytes += bodyLength;
    });
  }
  return bytes;
}

function bodiesOf(fetcher: Fetcher, urls: readonly Uint8Array[]): Uint8Array[] {
  const bodies: Uint8Array[] = [];
  for (const url of urls)
    fetcher.fetch(url, 0, url.length, '', (page) => bodies.push(page.body.slice(0, page.bodyLength)));
  return bodies;
}

/** The same pages as WARC records, packed. */
function packed(directory: string, urls: readonly Uint8Array[], bodies: readonly Uint8Array[]): Web {
  const records = urls.flatMap((url, i) => {
    const http = Buffer.concat([
      Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n'),
      bodies[i]!,
    ]);
    const head = `WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: ${Buffer.from(url)}\r\n`;
    return [Buffer.from(`${head}Content-Length: ${http.length}\r\n\r\n`), http, Buffer.from('\r\n\r\n')];
  });
  const file = join(directory, 'pages.warc');
  writeFileSync(file, Buffer.concat(records));
  packWeb([file], join(directory, 'web'));
  return openWeb(`disk:${join(directory, 'web')}`);
}

export async function run(args: string[]): Promise<void> {
  const web = openWeb(args[0] ?? 'synthetic');
  const urls = urlsOf(web);
  const fetcher = web.fetcher();
  const bytes = fetchAll(fetcher, urls) / BATCH;
  const bodies = bodiesOf(fetcher, urls);
  const copy = new Uint8Array(Math.max(...bodies.map((body) => body.length)));
  const directory = mkdtempSync(join(tmpdir(), 'drumline-bench-web-'));
  try {
    const disk = packed(directory, urls, bodies);
    const diskFetcher = disk.fetcher();
    const bench = new Bench({ time: 2000, warmupTime: 500 });
    bench.add('copy the same bytes', () => {
      for (const body of bodies) copy.set(body, 0);
    });
    bench.add('make a synthetic page', () => {
      fetchAll(fetcher, urls);
    });
    bench.add('read a page of a DiskWWW', () => {
      fetchAll(diskFetcher, urls);
    });
    await bench.run();
    console.log(`${web.spec}: ${Math.round(bytes)} bytes a page`);
    console.log(`${availableParallelism()} cores, Node ${process.version}`);
    for (const { name, result } of bench.tasks) {
      if (result.state !== 'completed') throw new Error(`${name}: ${result.state}`);
      console.log(`${name.padEnd(26)} ${((result.latency.p50 * 1000) / BATCH).toFixed(2).padStart(8)} us`);
    }
    diskFetcher.close();
    disk.close();
    timeTruth(web);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Too long for many repetitions: the median of five. */
function timeTruth(web: Web): void {
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    web.truth!.reachable(web.seeds(), 'full-coverage');
    return performance.now() - start;
  }).sort((a, b) => a - b);
  console.log(
    `${'what is reachable'.padEnd(26)} ${times[2]!.toFixed(0).padStart(8)} ms for ${web.truth!.pages} pages`,
  );
}
