/** The real world, as the thread that coordinates a crawl finds it. */
import { type Disk, nodeDisk } from '../model/disk.js';
import type { MainWorld } from '../model/world.js';
import { realWorld } from './real-world.js';
import { ThreadHost } from './thread-host.js';

export function mainWorld(disk: Disk = nodeDisk): MainWorld {
  return {
    ...realWorld(disk),
    openThreads: (agents) => new ThreadHost(agents),
  };
}
