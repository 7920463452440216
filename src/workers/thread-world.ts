/** The real world, as an agent's thread finds it. */
import type { AgentTask } from '../agent/crawl-task.js';
import { httpOptions } from '../agent/http-options.js';
import { openFaults } from '../model/faults.js';
import { version } from '../model/version.js';
import type { World } from '../model/world.js';
import { openCrawlWeb } from '../web/open-web.js';
import { realWorld } from './real-world.js';

export async function agentWorld({ agent, faults, options, plan, webSpec }: AgentTask): Promise<World> {
  const { disk, ...more } = await openFaults(faults, agent);
  return {
    ...realWorld(disk),
    ...more,
    openWeb: () => openCrawlWeb(webSpec, httpOptions(options, version(), plan.agent.bodies)),
  };
}
