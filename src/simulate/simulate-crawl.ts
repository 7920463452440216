/** A crawl that follows from its seed: as many processes as it takes to come to its end, whatever happens, and the law at the end. */

import { CheckpointFiles } from '../checkpoint/checkpoint-files.js';
import { Generations } from '../checkpoint/generations.js';
import { readManifest } from '../checkpoint/manifest.js';
import { checkNeeded, type NeededFile } from '../checkpoint/needed-file.js';
import { settleParts } from '../command/settle-parts.js';
import { turnOnCostlyAssertions } from '../model/assert.js';
import { CrawlDirectory } from '../model/crawl-directory.js';
import type { Disk } from '../model/disk.js';
import type { CrawlOptions } from '../options/options.js';
import { readCrawlOptions } from '../options/read-options.js';
import { CrawlRun } from '../run/crawl-run.js';
import type { Report } from '../run/report.js';
import { SeedFileWriter } from '../seeds/seed-file.js';
import { MemoryDisk } from './memory-disk.js';
import { OddFetcher } from './odd-fetcher.js';
import { OddWeb } from './odd-web.js';
import { drawPlan, FAULTS, OPTIONS, optionNames, type SimulationPlan } from './plan.js';
import { Random } from './random.js';
import { Scheduler } from './scheduler.js';
import { DIED, SimulatedProcess } from './simulated-run.js';
import { Timeline } from './timeline.js';
import { Trace } from './trace.js';

export class LawBroken extends Error {}

/** With a log, hosts that don't exist are out of scope; pages of any site link to them. */
const OUTSIDE = 'http://none';
const LOGGED = [
  ['log', 'on'],
  ['exclude', `${OUTSIDE}*`],
] as const;
const UNLOGGED = [['log', 'off']] as const;
const hasLog = ({ pages }: SimulationPlan): boolean => pages % 2 === 0;

const CRAWL = '/crawl';
/** More starts than a plan has faults. */
const MOST_RUNS = 20;
const WHOLE = 256 << 20;

/** What can occur, for the table of what did. */
export const KNOWN_EVENTS: readonly string[] = [
  ...FAULTS,
  'begins',
  'goes on from a checkpoint',
  'failed by a death at the end',
  ...OPTIONS,
];

export interface Simulated {
  readonly plan: SimulationPlan;
  readonly pages: number;
  readonly trace: Trace;
}

/** Throws if the law is broken. */
export async function simulateCrawl(
  seed: number,
  print: ((line: string) => void) | null = null,
): Promise<Simulated> {
  turnOnCostlyAssertions();
  const random = new Random(seed);
  const plan = drawPlan(random);
  const web = new OddWeb(random, plan.pages);
  const trace = new Trace(print);
  const timeline = new Timeline();
  const disk = new MemoryDisk();
  const directory = new CrawlDirectory(CRAWL);
  const faults = [...plan.faults];
  writeSeeds(disk, directory, web);
  for (const name of optionNames(plan)) trace.count(name, 0);
  for (let runs = 0; runs < MOST_RUNS; runs++) {
    const scheduler = new Scheduler(random, timeline, trace);
    let interrupt = (): void => {};
    const process = new SimulatedProcess({
      ...{ plan, faults, random, timeline, scheduler, disk, web, trace },
      interrupt: () => interrupt(),
    });
    const report = await oneRun(process, scheduler, { directory, plan, web, trace, timeline }, (run) => {
      interrupt = () => run.requestStop('interrupted');
    });
    if (process.endedBy === 'power cut') disk.crash(random);
    if (report?.outcome === 'failed') {
      // An agent that dies when the coordinator is done is not started again: the crawl ends, and is resumed.
      if (!report.reason?.endsWith(DIED)) throw new LawBroken(`the crawl failed: ${report.reason}`);
      trace.count('failed by a death at the end', timeline.now);
    }
    if (report?.outcome === 'exhausted') {
      checkLaw(report, plan);
      if (hasLog(plan)) checkLeftOut(report, plan, web);
      return { plan, pages: report.pages, trace };
    }
  }
  throw new LawBroken(`no end after ${MOST_RUNS} runs`);
}

interface Place {
  readonly directory: CrawlDirectory;
  readonly plan: SimulationPlan;
  readonly web: OddWeb;
  readonly trace: Trace;
  readonly timeline: Timeline;
}

/** The report, or null if the process was killed. */
async function oneRun(
  process: SimulatedProcess,
  scheduler: Scheduler,
  { directory, plan, timeline, trace, web }: Place,
  onBegun: (run: CrawlRun) => void,
): Promise<Report | null> {
  let report: Report | null = null;
  let failure: unknown = null;
  let isDone = false;
  const ended = (): boolean => isDone || process.isOver;
  try {
    const { start, earlierParts } = goOnFrom(process.disk, directory);
    trace.count(start > 0 ? 'goes on from a checkpoint' : 'begins', timeline.now);
    const live = {
      spec: web.spec,
      seeds: () => web.seeds(),
      hasSite: (host: string) => web.hasSite(host),
      truth: web.truth,
      fetcher: () =>
        new OddFetcher(
          web,
          () => {},
          () => {},
        ),
      close: () => {},
    };
    const run = new CrawlRun(optionsOf(plan), live, directory, start, {
      world: process.world(),
      names: process.names,
      earlierParts,
    });
    onBegun(run);
    run.run().then(
      (made) => {
        report = made;
        isDone = true;
      },
      (error: unknown) => {
        failure = error;
        isDone = true;
      },
    );
    await scheduler.run(ended);
  } catch (error) {
    if (!process.isOver) throw error;
  }
  if (process.isOver) return null;
  if (failure !== null) throw failure;
  return report;
}

/** As `drumline resume` does. */
function goOnFrom(disk: Disk, directory: CrawlDirectory): { start: number; earlierParts: NeededFile[] } {
  const generations = new Generations(disk, directory);
  const start = generations.current();
  const needed = start === 0 ? [] : readManifest(disk, new CheckpointFiles(directory, start));
  checkNeeded(disk, directory.path, needed, WHOLE);
  if (start === 0) disk.remove(directory.work);
  generations.removeOthers(start);
  return { start, earlierParts: settleParts(disk, directory, start, needed) };
}

function optionsOf(plan: SimulationPlan): CrawlOptions {
  const options = readCrawlOptions([
    ['agents', `${plan.agents}`],
    ['links', plan.links],
    ['ring-bytes', `${plan.ringBytes}`],
    ['host-delay', `${plan.hostDelayMs}ms`],
    ['ip-delay', '0ms'],
    ['store', 'none'],
    ...(hasLog(plan) ? LOGGED : UNLOGGED),
    ['contact', 'mailto:crawl@simulated.test'],
    ['depth-per-site', '60000'],
    ['pages-per-site', '1000000'],
    ['progress', 'none'],
  ]);
  return { ...options, memory: plan.memoryBytes, 'checkpoint-interval': plan.checkpointIntervalMs };
}

function writeSeeds(disk: Disk, directory: CrawlDirectory, web: OddWeb): void {
  const seeds = new SeedFileWriter(directory.seeds, disk);
  for (const seed of web.seeds()) seeds.add(seed);
  seeds.close();
  const file = disk.open(directory.seeds, 'update');
  file.sync();
  file.close();
  disk.syncDirectory(directory.path);
}

/** What is out of scope is counted, as it is logged, once for all agents. */
function checkLeftOut({ errors }: Report, { links }: SimulationPlan, web: OddWeb): void {
  // With two levels, links to other sites are not followed.
  if (links === 'two-level') return;
  const found = web.truth.reachable(web.seeds(), links);
  const expected = new Set<string>();
  for (const { deadLinks, number } of web.pages)
    if (found[number >> 3]! & (1 << (number & 7)))
      for (const url of deadLinks) if (url.startsWith(OUTSIDE)) expected.add(url);
  const counted = errors['SCOPE_EXCLUDE'] ?? 0;
  if (counted !== expected.size)
    throw new LawBroken(`${counted} URLs are left out, and there are ${expected.size}`);
}

/** Coverage exactly 1, overlap exactly 0. */
function checkLaw(
  { coverage, overlap, pages, reachablePages, uniquePages }: Report,
  { links }: SimulationPlan,
): void {
  if (coverage === 1 && overlap === 0 && pages === reachablePages) return;
  throw new LawBroken(
    `${links}: coverage ${coverage}, overlap ${overlap}: ${pages} pages, ${uniquePages} distinct, ${reachablePages} reachable`,
  );
}
