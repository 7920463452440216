/** Makes an agent polite, and lets its frontier know what hosts were granted before the agent's life began. */

import type { AgentCounters } from '../model/counters.js';
import type { CrawlDirectory } from '../model/crawl-directory.js';
import { KeyHash } from '../model/key-hash.js';
import type { World } from '../model/world.js';
import type { Frontier } from '../shard/frontier.js';
import { earlierPausesPath, forEachRest, longPause, pauseFilePath } from '../throttle/earlier-pauses.js';
import { HostTable } from '../throttle/host-table.js';
import { IpTable } from '../throttle/ip-table.js';
import { PauseFile } from '../throttle/pause-file.js';
import { HostPoliteness, noWaiting, type Politeness, publicDelay } from '../visit/politeness.js';
import type { AgentTask } from './crawl-task.js';

export function openPoliteness(
  { agent, clockOrigin, options, quietUntil, shared }: AgentTask,
  { clock, disk }: Pick<World, 'clock' | 'disk'>,
  { pauses }: CrawlDirectory,
  counters: AgentCounters,
): Politeness {
  if (options.web !== 'http') return noWaiting(clock);
  const hosts = new HostTable(shared.hostTable, agent, new KeyHash(shared.tableSeed));
  hosts.beginLife(clock());
  return new HostPoliteness({
    delays: {
      hostDelay: options['host-delay'],
      retryDelay: options['retry-delay'],
      maxRetryAfter: options['max-retry-after'],
    },
    ipDelay: options['ip-delay'],
    publicDelay: publicDelay(options),
    timeout: options.timeout,
    ips: new IpTable(shared.ipTable),
    hosts,
    file: new PauseFile(disk, pauseFilePath(pauses, agent)),
    counters,
    longPause: longPause(options['host-delay']),
    quietUntil,
    clock,
    clockOrigin,
  });
}

/**
 * REQUIRES: the frontier is as it was at the checkpoint, and nothing was fetched yet. Which hosts of earlier runs will be
 * this agent's is not known, so it remembers all of them.
 */
export function keepEarlierPauses(
  { agent, clockOrigin, options }: AgentTask,
  { clock, disk }: Pick<World, 'clock' | 'disk'>,
  { pauses }: CrawlDirectory,
  frontier: Frontier,
): void {
  if (options.web !== 'http') return;
  const now = clock();
  for (const path of [earlierPausesPath(pauses), pauseFilePath(pauses, agent)])
    forEachRest(disk, path, clockOrigin + now, (low, high, rest) => frontier.rest(low, high, now + rest));
}
