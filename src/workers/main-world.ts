/** The real world, as the thread that coordinates a crawl finds it. */
import { type Disk, nodeDisk } from '../model/disk.js';
import { Timer } from '../model/timer.js';
import type { MainWorld } from '../model/world.js';
import { realWorld } from './real-world.js';
import { ThreadHost } from './thread-host.js';

export function mainWorld(disk: Disk = nodeDisk): MainWorld {
  return {
    ...realWorld(disk),
    after(delayMs, call) {
      const timer = new Timer(delayMs, call);
      return () => timer.cancel();
    },
    openThreads: (agents) => new ThreadHost(agents),
  };
}
