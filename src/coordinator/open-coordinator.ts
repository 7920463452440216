/** Puts the coordinator together, as a crawl begins or as it was at a checkpoint. */

import { CheckpointFiles } from '../checkpoint/checkpoint-files.js';
import { readRecordFile } from '../checkpoint/record-file.js';
import type { CrawlDirectory } from '../model/crawl-directory.js';
import { loadJson } from '../model/json-file.js';
import type { MemoryPlan } from '../model/memory-plan.js';
import type { CrawlOptions } from '../model/options.js';
import { ASSIGNMENTS } from '../partition/assignment.js';
import { SeedRecords } from '../seeds/seed-records.js';
import { SpillQueue } from '../spill/spill-queue.js';
import { Coordinator, type CoordinatorParts, type CoordinatorState } from './coordinator.js';

/** What it shares with the rest of the run. */
type GivenParts = Omit<
  CoordinatorParts,
  'agents' | 'assignment' | 'inbox' | 'seeds' | 'siteUrlDrum' | 'siteUrlList'
>;

/** `start` is the checkpoint to go on from, 0 to begin. */
export function openCoordinator(
  start: number,
  { agents, assign }: CrawlOptions,
  plan: MemoryPlan,
  directory: CrawlDirectory,
  given: GivenParts,
): Coordinator {
  const { disk, siteTable } = given;
  const files = new CheckpointFiles(directory, start);
  const siteUrlList = new SpillQueue(disk, directory.siteUrlList, plan.siteUrlList);
  const inbox = new SpillQueue(disk, directory.inbox(agents), plan.agent.inbox);
  const seeds = new SeedRecords(directory.seeds, disk);
  const coordinator = new Coordinator({
    ...given,
    agents,
    siteUrlDrum: {
      directory: directory.siteUrlDrum,
      memoryBytes: plan.siteUrlDrum,
      manifest: start === 0 ? undefined : files.siteUrlDrum,
    },
    siteUrlList,
    inbox,
    assignment: ASSIGNMENTS[assign]!(agents),
    seeds,
  });
  if (start === 0) return coordinator;
  const state = loadJson<CoordinatorState>(disk, files.coordinator);
  const fill = (queue: SpillQueue, path: string): void =>
    readRecordFile(disk, path, (bytes, from, to) => queue.push(bytes, from, to));
  readRecordFile(disk, files.siteTable, (bytes, from, to) => siteTable.restoreChunk(bytes, from, to));
  if (state.isTableOverflown) siteTable.setOverflown();
  siteTable.announce();
  fill(siteUrlList, files.siteUrlList);
  fill(inbox, files.inbox(agents));
  seeds.seek(state.seedPosition);
  coordinator.restore(state);
  return coordinator;
}
