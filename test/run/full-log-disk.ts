/** Faults for the threads of a crawl: the disk has no room for their parts of crawl.log, a number of times. */
import { type Disk, nodeDisk } from '#drumline/model/disk.js';
import type { FaultSpec, Faults } from '#drumline/model/faults.js';

export const fullLogDisk = (times: number): { faults: FaultSpec; left: () => number } => {
  const left = new Int32Array(new SharedArrayBuffer(4)).fill(times);
  return { faults: { module: import.meta.url, data: left }, left: () => Math.max(0, Atomics.load(left, 0)) };
};

export function openFaults(_thread: number, left: Int32Array): Faults {
  const disk: Disk = {
    ...nodeDisk,
    open(path, mode) {
      const file = nodeDisk.open(path, mode);
      if (!path.endsWith('.log-part')) return file;
      return {
        read: (...how) => file.read(...how),
        write(from, start, end, position) {
          const isFull = Atomics.sub(left, 0, 1) > 0;
          file.write(from, start, isFull ? start + ((end - start) >> 1) : end, position);
          if (isFull)
            throw Object.assign(new Error(`${path}: ENOSPC: no space left`), { code: 'ENOSPC', path });
        },
        size: () => file.size(),
        truncate: (size) => file.truncate(size),
        sync: () => file.sync(),
        close: () => file.close(),
      };
    },
  };
  return { disk };
}
