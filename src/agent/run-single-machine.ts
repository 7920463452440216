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
import { type Assembly, assemble, resultOf } from './assemble.js';
import type { AgentResult, AgentTask } from './crawl-task.js';
import { openCrawler } from './open-crawler.js';
import { runAndClose } from './run-and-close.js';
import { SingleMachine } from './single-machine.js';

export async function runSingleMachine(task: AgentTask, threadWorld: World): Promise<AgentResult> {
  const assembly = await assemble(task, threadWorld);
  const { books, counters, directory, saved, stop, visited, world } = assembly;
  const { disk } = world;
  const bell = new Doorbell(task.shared.mesh.bells, 0);
  const { crawler, sites } = openMachineCrawler(assembly, bell);
  const checkpoint = new AgentCheckpoint(disk, {
    ...{ agent: 0, books, counters, crawler, stop, visited, inbox: null, partition: null, unassigned: null },
    files: new AgentFiles(disk, directory, 0, task.runStart),
  });
  const machine = new SingleMachine({
    ...{ checkpoint, counters, crawler, disk, sites, stop, clock: world.clock, start: task.start },
    seeds: new SeedRecords(directory.seeds, disk),
    run: new RunCheckpoint(world, directory, task.start, 0, task.before),
    generations: new Generations(disk, directory),
    board: new CheckpointBoard(task.shared.checkpoints, 0),
    interval: task.options['checkpoint-interval'],
    storesPages: task.options.store !== 'none',
  });
  if (saved !== null) machine.restore(saved.files, saved.state);
  counters.lap('setUp');
  await runAndClose(machine, bell, world);
  return resultOf(assembly, checkpoint);
}

/** A crawler whose URLs come back to it; and who makes root pages of the sites that it finds, which come to it, too. */
function openMachineCrawler(
  assembly: Assembly,
  bell: Doorbell,
): { crawler: PageCrawler; sites: SiteReporter } {
  const { counters, hash, task } = assembly;
  const follows = LINK_MODES[task.options.links].interSite === FOLLOW;
  const sites = new SiteReporter(
    task.plan.agent.recentlyReported,
    PAGE_URL,
    (bytes, start, end) => {
      crawler.checker.offerRecord(bytes, start, end);
    },
    hash,
  );
  const crawler: PageCrawler = openCrawler(assembly, {
    onUnique: (bytes, start, end) => {
      const urlEnd = recordUrlEnd(bytes, start, end);
      if (originEnd(bytes, start + RECORD_HEADER, urlEnd) === urlEnd - 1) counters.add('sites', 1);
      crawler.frontier.push(recordSiteLow(bytes, start), recordSiteHigh(bytes, start), bytes, start, end);
    },
    interSite: (urls, i, depth) => {
      const { bytes, ends, siteKeys } = urls;
      sites.report(siteKeys[2 * i]!, siteKeys[2 * i + 1]!, bytes, urls.start(i), ends[i]!, depth);
      return follows;
    },
    wake: () => bell.ringOwn(),
    onLeftOut: null,
    asker: null,
  });
  return { crawler, sites };
}
