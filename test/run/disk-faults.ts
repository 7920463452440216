/** A small crawl whose disk fails, or loses power, at one of its changes, and is resumed: the books must be exact. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CrawlDirectory } from '#drumline/model/crawl-directory.js';
import type { Report } from '#drumline/run/report.js';
import { checkArchive } from '../store/check-archive.js';
import { type Fault, failingDisk } from './failing-disk.js';
import { runCrawlIn } from './run-crawl.js';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));

/** A smaller crawl has fewer changes, so that each of them can be tried. */
const PAGES = Number(process.env['TORTURE_FAULT_PAGES'] ?? 300);
const INTERVAL = Number(process.env['TORTURE_FAULT_INTERVAL'] ?? 10);

export interface FaultyCrawl {
  readonly agents: number;
  readonly store: 'none' | 'warc';
  readonly failAt: number;
  readonly fault: Fault;
}

export interface FaultOutcome {
  /** Changes of the disk until the crawl ended. */
  readonly changes: number;
  /** Did the fault come before the end? */
  readonly wasHit: boolean;
  /** What is wrong, in words; '' if nothing is. */
  readonly wrong: string;
}

export async function crawlWithFault({ agents, store, failAt, fault }: FaultyCrawl): Promise<FaultOutcome> {
  const parent = mkdtempSync(join(tmpdir(), 'drumline-fault-'));
  try {
    const directory = new CrawlDirectory(join(parent, 'crawl'));
    mkdirSync(directory.path);
    const { disk, faults } = failingDisk(agents, directory.path, join(parent, 'shadow'), failAt, fault);
    const given = {
      agents: `${agents}`,
      web: `synthetic:pages=${PAGES},sites=12,size=2000`,
      store,
      memory: '64MB',
      'checkpoint-interval': `${INTERVAL}ms`,
      'list-pages': null,
      log: 'on',
    };
    const { report } = await runCrawlIn(directory, given, undefined, undefined, { disk, faults });
    const { changes, closedTwice } = disk;
    if (closedTwice > 0) return { changes, wasHit: true, wrong: `${closedTwice} files closed twice` };
    if (report.outcome === 'exhausted') return { changes, wasHit: changes >= failAt, wrong: booksOf(report) };
    if (!/EIO: the disk (failed|is off)/.test(report.reason ?? ''))
      return { changes, wasHit: true, wrong: `failed of something else: ${report.reason}` };
    if (fault === 'power cut') disk.cut();
    return { changes, wasHit: true, wrong: resume(directory, store) };
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

function resume(directory: CrawlDirectory, store: 'none' | 'warc'): string {
  const words = [MAIN, 'resume', directory.path, '--progress', 'none'];
  const { status, stderr, signal } = spawnSync(process.execPath, words, {
    encoding: 'utf8',
    timeout: 30_000,
  });
  if (status !== 0) return `resume ended with ${status ?? signal}: ${stderr}`;
  const report = JSON.parse(readFileSync(directory.report, 'utf8')) as Report;
  const listed = readFileSync(directory.pageList, 'utf8').trimEnd().split('\n');
  if (listed.length !== report.pages || new Set(listed).size !== listed.length)
    return `${listed.length} pages listed, ${new Set(listed).size} of them different, of ${report.pages}`;
  const archive = store === 'warc' ? checkArchive(directory.path).faults.join('; ') : '';
  return booksOf(report) || archive;
}

function booksOf({ outcome, reason, coverage, overlap }: Report): string {
  return outcome === 'exhausted' && coverage === 1 && overlap === 0
    ? ''
    : `${outcome} ${reason ?? ''}, coverage ${coverage}, overlap ${overlap}`;
}
