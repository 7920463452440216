/** Counts the threads of a crawl that began. */
import { nodeDisk } from '#drumline/model/disk.js';
import type { FaultSpec, Faults } from '#drumline/model/faults.js';

export function beginnings(): { faults: FaultSpec; count: () => number; wait: (timeoutMs: number) => void } {
  const begun = new Int32Array(new SharedArrayBuffer(4));
  return {
    faults: { module: import.meta.url, data: begun },
    count: () => Atomics.load(begun, 0),
    /** Until one begins. */
    wait: (timeoutMs) => void Atomics.wait(begun, 0, 0, timeoutMs),
  };
}

export function openFaults(_thread: number, begun: Int32Array): Faults {
  Atomics.add(begun, 0, 1);
  Atomics.notify(begun, 0);
  return { disk: nodeDisk };
}
