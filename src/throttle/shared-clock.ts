/**
 * Monotonic milliseconds with one origin for all threads of the process. `performance.now()` counts from the start of
 * its thread, so times of two threads can't be compared; the clock behind `process.hrtime` is the same for all.
 */
import type { Clock } from '../model/clock.js';

const [seconds, nanoseconds] = process.hrtime();
const offset = seconds * 1e3 + nanoseconds / 1e6 - performance.now();

export const sharedClock: Clock = () => performance.now() + offset;
