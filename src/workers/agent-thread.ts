/** The entry file of an agent's thread: runs an agent, or the single-machine crawler. */
import { isLasting, oneLine } from '../model/errors.js';
import { countReachable } from '../model/web.js';
import { seedStrings } from '../seeds/seed-file.js';
import { openWeb } from '../web/open-web.js';
import type { AgentResult, AgentTask } from './crawl-task.js';
import { runAgent } from './run-agent.js';

/** Throws if the agent died of something that may not happen again. */
export default async function runThread(task: AgentTask): Promise<AgentResult> {
  try {
    if (task.options.agents > 0) return await runAgent(task);
    const { runSingleMachine } = await import('./run-single-machine.js');
    return await runSingleMachine(task);
  } catch (error) {
    // A full disk, a damaged file: starting again would not help.
    if (!isLasting(error)) throw error;
    return {
      agent: task.agent,
      failure: oneLine(error),
      errors: {},
      pageUrlDrum: null,
      store: null,
      sitePartitionDrum: null,
    };
  }
}

/** How many pages a crawler can reach: some seconds of work for a large web, so not for the coordinator's thread. */
export function countReachablePages({ webSpec, seeds }: { webSpec: string; seeds: string }): number | null {
  const { truth } = openWeb(webSpec);
  return truth === null ? null : countReachable(truth, seedStrings(seeds), 'full-coverage');
}
