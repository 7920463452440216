/** The files that a frontier needs beside its records to go on from a checkpoint, and the bytes that each has at least. */
import type { FrontierPaths, FrontierState } from './frontier.js';
import { PAGE_BYTES } from './site-pages.js';

export function frontierFiles(
  paths: FrontierPaths,
  { ledger, log }: FrontierState,
): { readonly path: string; readonly bytes: number }[] {
  const files: { path: string; bytes: number }[] = [];
  if (ledger !== null) files.push({ path: paths.sites, bytes: ledger.slots * PAGE_BYTES });
  for (const { live, number } of log.spaces) {
    // Up to the last segment that something waits in.
    const last = live.findLastIndex((records) => records > 0);
    if (last >= 0) files.push({ path: paths.urls(number), bytes: last * log.segmentBytes + 1 });
  }
  return files;
}
