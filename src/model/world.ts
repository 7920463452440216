/**
 * What a part may ask for from outside: time, disk, the Web, and somebody who drives its turns. In a crawl the threads'
 * shells give the real ones (`workers/thread-world.ts`); the simulator makes all of it up from one seed.
 */
import type { Clock } from './clock.js';
import type { Disk } from './disk.js';
import type { TableSeed } from './key-hash.js';
import type { TurnTaker } from './turn.js';
import type { Web } from './web.js';

/** What a thread sleeps on; `ring/doorbell.ts` is the real one. */
export interface Bell {
  /** As long as the thread's events go on. Returns what ended the sleep. */
  sleep(hasWork: () => boolean, timeoutMs: number): Promise<'rung' | 'timed-out' | 'work'>;
  /** As long as nothing of the thread goes on. */
  sleepHard(hasWork: () => boolean, timeoutMs: number): void;
}

/** Ends what was begun; nothing happens if it is over. */
export type Cancel = () => void;

export interface World {
  /** Monotonic milliseconds, the same for all threads. */
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly wallClock: Clock;
  readonly disk: Disk;
  /** Has turns taken until the last. */
  drive(taker: TurnTaker, bell: Bell): Promise<void>;
  every(intervalMs: number, call: () => void): Cancel;
  /** Of any length; never if that is Infinity. */
  after(delayMs: number, call: () => void): Cancel;
  /** What the process took, since its world was opened and at most. */
  usage(): { readonly cpuSeconds: number; readonly peakRssBytes: number };
  openWeb(): Promise<Web>;
  /** The page of the URL `url[start, end)` is about to be read. */
  readonly beforeRead?: (url: Uint8Array, start: number, end: number) => void;
}

/** Where a crawl's threads are. */
export interface Threads {
  /** Does a task to its end: that of the thread's entry `name`, an agent's if there is none. The signal ends it at once. */
  run<Result>(
    task: unknown,
    how?: { readonly name?: string; readonly signal?: AbortSignal },
  ): Promise<Result>;
  close(): Promise<void>;
}

/** The same for the thread that coordinates: it fetches nothing, and starts the others. */
export interface MainWorld extends Omit<World, 'openWeb' | 'beforeRead'> {
  /** For so many agents. */
  openThreads(agents: number): Threads;
  /** Where tables in memory put their keys; nobody's guess if it is not given. */
  readonly tableSeed?: TableSeed;
}
