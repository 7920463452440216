/** Faults for the threads of a crawl with two agents: the first syncs of each agent take their time. */
import { nodeDisk } from '#drumline/model/disk.js';
import type { FaultSpec, Faults } from '#drumline/model/faults.js';

export const slowDisk = (syncMs: number, times: number): FaultSpec => ({
  module: import.meta.url,
  data: { syncMs, times },
});

export function openFaults(thread: number, { syncMs, times }: { syncMs: number; times: number }): Faults {
  const never = new Int32Array(new SharedArrayBuffer(4));
  let left = thread < 2 ? times : 0;
  return {
    disk: {
      ...nodeDisk,
      open(path, mode) {
        const file = nodeDisk.open(path, mode);
        return {
          read: (into, start, end, position) => file.read(into, start, end, position),
          write: (from, start, end, position) => file.write(from, start, end, position),
          size: () => file.size(),
          truncate: (size) => file.truncate(size),
          close: () => file.close(),
          sync() {
            if (left-- > 0) Atomics.wait(never, 0, 0, syncMs);
            file.sync();
          },
        };
      },
    },
  };
}
