/**
 * Monotonic milliseconds with one origin for all threads of the process. `performance.now()` counts from the start of
 * its thread, so times of two threads can't be compared; the clock behind `process.hrtime` is the same for all.
 */
import type { Clock } from '../model/clock.js';

/** A thread may be interrupted between two readings: the pair that lies closest together counts. */
const READINGS = 10;

function measureOffset(): number {
  let closest = Number.POSITIVE_INFINITY;
  let offset = 0;
  for (let i = 0; i < READINGS; i++) {
    const before = performance.now();
    const [seconds, nanoseconds] = process.hrtime();
    const after = performance.now();
    if (after - before >= closest) continue;
    closest = after - before;
    offset = seconds * 1e3 + nanoseconds / 1e6 - (before + after) / 2;
  }
  return offset;
}

const offset = measureOffset();

export const sharedClock: Clock = () => performance.now() + offset;
