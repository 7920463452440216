/** The real world, as every thread of a crawl finds it: the system's clocks, a disk, and a loop that drives turns. */
import { wallClock } from '../model/clock.js';
import type { Disk } from '../model/disk.js';
import type { Cancel, World } from '../model/world.js';
import { Timer } from '../ring/timer.js';
import { sharedClock } from '../throttle/shared-clock.js';
import { drive } from './drive.js';

export function realWorld(disk: Disk): Omit<World, 'openWeb'> {
  const cpuBefore = process.cpuUsage();
  return {
    clock: sharedClock,
    wallClock,
    disk,
    drive,
    every: repeatedly,
    after(delayMs, call) {
      const timer = new Timer(delayMs, call);
      return () => timer.cancel();
    },
    usage() {
      const { user, system } = process.cpuUsage(cpuBefore);
      return { cpuSeconds: (user + system) / 1e6, peakRssBytes: process.resourceUsage().maxRSS * 1024 };
    },
  };
}

/** Calls back at an interval; the timer alone keeps no process alive. */
export function repeatedly(intervalMs: number, call: () => void): Cancel {
  const timer = setInterval(call, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
