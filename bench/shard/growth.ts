/**
 * A frontier that grows to many more sites than memory has room for: the longest that one URL of a new site takes, and
 * what checkpoints write, beside what copying all sites would.
 * `-- --sites 10000000 --memory 32000000 --checkpoints 10 --directory /var/tmp`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CrawlDirectory } from '#drumline/model/crawl-directory.js';
import { type Disk, nodeDisk } from '#drumline/model/disk.js';
import { KeyHash } from '#drumline/model/key-hash.js';
import { Frontier } from '#drumline/shard/frontier.js';
import { ROW_BYTES } from '#drumline/shard/site-row.js';

const URL_BYTES = 100;
const SPREAD = 0x9e3779b1;
/** Before a checkpoint, URLs of sites that are known. */
const CHANGES = 50_000;

let written = 0;
const countingDisk: Disk = {
  ...nodeDisk,
  open(path, mode) {
    const file = nodeDisk.open(path, mode);
    return {
      read: (into, start, end, position) => file.read(into, start, end, position),
      write: (from, start, end, position) => {
        written += end - start;
        file.write(from, start, end, position);
      },
      size: () => file.size(),
      truncate: (size) => file.truncate(size),
      sync: () => file.sync(),
      close: () => file.close(),
    };
  },
};

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      sites: { type: 'string', default: '10000000' },
      memory: { type: 'string', default: '32000000' },
      checkpoints: { type: 'string', default: '10' },
      directory: { type: 'string', default: tmpdir() },
    },
  });
  const sites = Number(values.sites);
  const directory = mkdtempSync(join(values.directory, 'drumline-growth-'));
  try {
    grow(directory, sites, Number(values.memory), Math.ceil(sites / Number(values.checkpoints)));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function grow(directory: string, sites: number, memoryBytes: number, every: number): void {
  const frontier = new Frontier(countingDisk, new CrawlDirectory(directory).frontier(0), {
    memoryBytes,
    needsAddress: true,
    clock: () => performance.now(),
    hash: new KeyHash([1, 2, 3, 4]),
    isSaved: true,
  });
  const record = new Uint8Array(URL_BYTES).fill(97);
  const push = (site: number): { wall: number; cpu: number } => {
    const before = performance.now();
    const { system, user } = process.cpuUsage();
    frontier.push(Math.imul(site, SPREAD) >>> 0, site, record, 0, URL_BYTES);
    const usage = process.cpuUsage();
    return {
      wall: performance.now() - before,
      cpu: (usage.user - user + usage.system - system) / 1000,
    };
  };
  let longest = 0;
  let longestCpu = 0;
  let over = 0;
  const begun = performance.now();
  for (let site = 1; site <= sites; site++) {
    const took = push(site);
    longest = Math.max(longest, took.wall);
    longestCpu = Math.max(longestCpu, took.cpu);
    if (took.wall > 50) over++;
    if (site % every === 0) checkpoint(frontier, site, push);
  }
  const micros = ((performance.now() - begun) * 1000) / sites;
  console.log(`${sites} sites, ${micros.toFixed(1)} us each with checkpoints`);
  console.log(
    `longest for one URL ${longest.toFixed(1)} ms, ${over} over 50 ms; ` +
      `${longestCpu.toFixed(1)} ms of processor time, the collector's and the compiler's among it`,
  );
  const { rss, arrayBuffers } = process.memoryUsage();
  console.log(`${megabytes(rss)} MB in memory, ${megabytes(arrayBuffers)} in arrays`);
  frontier.close();
}

function checkpoint(frontier: Frontier, sites: number, push: (site: number) => void): void {
  const save = (): void => {
    let records = 0;
    const add = (_: Uint8Array, start: number, end: number): void => {
      records += end - start;
    };
    frontier.save(add, add);
    frontier.confirm();
    written += records;
  };
  save();
  written = 0;
  for (let i = 0; i < CHANGES; i++) push(1 + ((i * 7919) % sites));
  const changes = written;
  written = 0;
  const before = performance.now();
  save();
  console.log(
    `${sites} sites: after ${CHANGES} URLs of known sites ${megabytes(changes)} MB were written as they came and ` +
      `${megabytes(written)} MB in ${(performance.now() - before).toFixed(0)} ms by the checkpoint; ` +
      `all rows are ${megabytes(sites * ROW_BYTES)} MB`,
  );
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
