/** The entry file of a thread: runs an agent, or the single-machine crawler, keeps the digests, or merges the index. */

import type { AgentResult, AgentTask } from '../agent/crawl-task.js';
import { runAgent } from '../agent/run-agent.js';
import type { IndexTask, KeeperTask } from '../archive/archive-tasks.js';
import { isLasting, oneLine } from '../model/errors.js';
import { openFaults } from '../model/faults.js';
import { countReachable } from '../model/web.js';
import { seedStrings } from '../seeds/seed-file.js';
import { openWeb } from '../web/open-web.js';
import { agentWorld } from './thread-world.js';

/** Throws if the agent died of something that may not happen again. */
export default async function runThread(task: AgentTask): Promise<AgentResult> {
  try {
    const world = await agentWorld(task);
    if (task.options.agents > 0) return await runAgent(task, world);
    const { runSingleMachine } = await import('../agent/run-single-machine.js');
    return await runSingleMachine(task, world);
  } catch (error) {
    // A full disk, a damaged file: starting again would not help.
    if (!isLasting(error)) throw error;
    return {
      agent: task.agent,
      failure: oneLine(error),
      answers: {},
      errors: {},
      firsts: {},
      pageUrlDrum: null,
      store: null,
      sitePartitionDrum: null,
    };
  }
}

/** Keeps the digests of what all agents store, until the last of them came to its end. */
export async function keepDigests(task: KeeperTask): Promise<void> {
  const keeper = await import('../archive/keep-digests.js');
  const { disk } = await openFaults(task.faults, task.options.agents + 1);
  keeper.keepDigests(task, disk);
}

/** Brings index.cdxj up to the last checkpoint, or to the end of the crawl. */
export async function indexPages(task: IndexTask): Promise<void> {
  const indexer = await import('../archive/index-pages.js');
  const { disk } = await openFaults(task.faults, task.thread);
  indexer.indexPages(task, disk);
}

/** How many pages a crawler can reach: some seconds of work for a large web, so not for the coordinator's thread. */
export function countReachablePages({ webSpec, seeds }: { webSpec: string; seeds: string }): number | null {
  const { truth } = openWeb(webSpec);
  return truth === null ? null : countReachable(truth, seedStrings(seeds), 'full-coverage');
}
