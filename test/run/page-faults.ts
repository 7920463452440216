/** Faults of pages, for the threads of a crawl: pages whose URL has a word in it kill or hang whoever reads them. */
import { nodeDisk } from '#drumline/model/disk.js';
import type { FaultSpec, Faults } from '#drumline/model/faults.js';

interface PageFaults {
  readonly kills?: string;
  readonly hangs?: string;
}

export const pageFaults = (data: PageFaults): FaultSpec => ({ module: import.meta.url, data });

export function openFaults(_thread: number, { kills, hangs }: PageFaults): Faults {
  return {
    disk: nodeDisk,
    beforeRead(bytes, start, end) {
      const url = new TextDecoder().decode(bytes.subarray(start, end));
      if (kills !== undefined && url.includes(kills)) throw new Error(`poisoned by ${url}`);
      while (hangs !== undefined && url.includes(hangs));
    },
  };
}
