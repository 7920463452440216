/** Puts the single-machine crawler together from its task and runs it to its end. */

import { CheckpointBoard } from '../boards/checkpoint-board.js';
import { Generations } from '../checkpoint/generations.js';
import { RunCheckpoint } from '../checkpoint/run-checkpoint.js';
import {
  originEnd,
  PAGE_URL,
  RECORD_HEADER,
  recordSiteHigh,
  recordSiteLow,
  recordUrlEnd,
} from '../model/record.js';
import type { World } from '../model/world.js';
import { Doorbell } from '../ring/doorbell.js';
import { FOLLOW, LINK_MODES } from '../route/link-mode.js';
import { SiteReporter } from '../route/site-reporter.js';
import { SeedRecords } from '../seeds/seed-records.js';
import type { PageCrawler } from '../visit/page-crawler.js';
import { AgentCheckpoint } from './agent-checkpoint.js';
import { AgentFiles } from './agent-files.js';
import { assemble } from './assemble.js';
import type { AgentResult, AgentTask } from './crawl-task.js';
import { runAndClose } from './run-and-close.js';
import { SingleMachine } from './single-machine.js';

export async function runSingleMachine(task: AgentTask, world: World): Promise<AgentResult> {
  const { plan, shared } = task;
  const {
    disk,
    directory,
    counters,
    stop,
    visited,
    books,
    store,
    saved,
    hash,
    crawler: makeCrawler,
  } = await assemble(task, world);
  const bell = new Doorbell(shared.mesh.bells, 0);
  const sites = new SiteReporter(
    plan.agent.recentlyReported,
    PAGE_URL,
    (bytes, start, end) => {
      crawler.checker.offerRecord(bytes, start, end);
    },
    hash,
  );
  const mode = LINK_MODES[task.options.links];
  const crawler: PageCrawler = makeCrawler(
    (bytes, start, end) => {
      const urlEnd = recordUrlEnd(bytes, start, end);
      if (originEnd(bytes, start + RECORD_HEADER, urlEnd) === urlEnd - 1) counters.add('sites', 1);
      crawler.frontier.push(recordSiteLow(bytes, start), recordSiteHigh(bytes, start), bytes, start, end);
    },
    (urls, i, depth) => {
      sites.report(
        urls.siteKeys[2 * i]!,
        urls.siteKeys[2 * i + 1]!,
        urls.bytes,
        urls.start(i),
        urls.ends[i]!,
        depth,
      );
      return mode.interSite === FOLLOW;
    },
    () => bell.ringOwn(),
    null,
  );
  const seeds = new SeedRecords(directory.seeds, disk);
  const checkpoint = new AgentCheckpoint(disk, {
    agent: 0,
    crawler,
    books,
    counters,
    stop,
    visited,
    files: new AgentFiles(disk, directory, 0, task.runStart),
    partition: null,
    unassigned: null,
    inbox: null,
  });
  const machine = new SingleMachine({
    disk,
    crawler,
    stop,
    counters,
    clock: world.clock,
    seeds,
    sites,
    checkpoint,
    run: new RunCheckpoint({ ...world, disk }, directory, task.start, 0, task.before),
    generations: new Generations(disk, directory),
    board: new CheckpointBoard(shared.checkpoints, 0),
    interval: task.options['checkpoint-interval'],
    storesPages: task.options.store !== 'none',
    start: task.start,
  });
  if (saved !== null) machine.restore(saved.files, saved.state);
  counters.lap('setUp');
  await runAndClose(machine, bell, world);
  return {
    agent: 0,
    failure: '',
    answers: books.answers,
    errors: books.errors,
    firsts: books.firsts,
    pageUrlDrum: checkpoint.pageUrlStatistics,
    sitePartitionDrum: null,
    store: store?.counts ?? null,
  };
}
