/**
 * The thread that keeps the digests of what was stored, for all agents: so that a body is stored once, whichever agents
 * come upon it. It has nothing else to do than to answer (`digest-counter.ts`), and need not see to any events.
 */

import { DigestFilter } from '../boards/digest-filter.js';
import { CrawlDirectory } from '../model/crawl-directory.js';
import type { Disk } from '../model/disk.js';
import type { KeeperTask } from './archive-tasks.js';
import { DigestCounter } from './digest-counter.js';
import { openDigests } from './open-store.js';

export function keepDigests(task: KeeperTask, disk: Disk): void {
  const digests = openDigests(task, disk, new CrawlDirectory(task.directory));
  try {
    const counter = new DigestCounter(task.shared.digests);
    const filter = new DigestFilter(task.shared.digests.filter);
    digests.forEachKey((first, second) => filter.addKey(first, second));
    counter.postLoaded();
    counter.serve(digests);
  } finally {
    digests.close();
  }
}
