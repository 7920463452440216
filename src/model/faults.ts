/**
 * Faults put in by tests: a module that each thread loads, which stands between the crawl and its disk, and sees each
 * page before it is read.
 */
import { type Disk, nodeDisk } from './disk.js';

/** Sent to every thread. */
export interface FaultSpec {
  /** The address of a module with a function `openFaults(thread, data)`. */
  readonly module: string;
  readonly data: unknown;
}

export interface Faults {
  readonly disk: Disk;
  /** The page of the URL `url[start, end)` is about to be read. */
  readonly beforeRead?: (url: Uint8Array, start: number, end: number) => void;
}

export async function openFaults(spec: FaultSpec | null, thread: number): Promise<Faults> {
  if (spec === null) return { disk: nodeDisk };
  const module = (await import(spec.module)) as { openFaults: (thread: number, data: unknown) => Faults };
  return module.openFaults(thread, spec.data);
}
