/** Puts the coordinator together, as a crawl begins or as it was at a checkpoint. */

import { CheckpointFiles } from '../checkpoint/checkpoint-files.js';
import { readRecordFile } from '../checkpoint/record-file.js';
import type { Clock } from '../model/clock.js';
import type { CrawlDirectory } from '../model/crawl-directory.js';
import { loadJson } from '../model/json-file.js';
import type { MemoryPlan } from '../model/memory-plan.js';
import type { CrawlOptions } from '../options/options.js';
import { ASSIGNMENTS } from '../partition/assignment.js';
import { SeedRecords } from '../seeds/seed-records.js';
import { SpillQueue } from '../spill/spill-queue.js';
import { COORDINATOR_STATE, Coordinator, type CoordinatorParts } from './coordinator.js';
import { NameQuestions, type SiteNames } from './name-questions.js';
import { NameRetries } from './name-retries.js';

/** What it shares with the rest of the run. */
type GivenParts = Omit<
  CoordinatorParts,
  'agents' | 'assignment' | 'inbox' | 'questions' | 'seeds' | 'siteUrlDrum'
> & {
  readonly clock: Clock;
  readonly names: SiteNames;
  /** Tells people that the name servers do not answer. */
  readonly say: (message: string) => void;
};

/** Shares of the memory for sites that wait for the DNS. */
const NEW_SHARE = 0.5;
const AGAIN_SHARE = 0.4;
const ADDRESS_SHARE = 0.1;

/** `start` is the checkpoint to go on from, 0 to begin. */
export function openCoordinator(
  start: number,
  options: CrawlOptions,
  plan: MemoryPlan,
  directory: CrawlDirectory,
  given: GivenParts,
): Coordinator {
  const { clock, disk, names, say, siteTable, ...shared } = given;
  const { agents, assign } = options;
  const files = new CheckpointFiles(directory, start);
  const { retries, 'retry-delay': retryDelay } = options;
  const questions = new NameQuestions({
    ...{ names, say, retries, clock, wake: () => shared.mesh.bell.ring() },
    siteUrlList: new SpillQueue(disk, directory.siteUrlList, NEW_SHARE * plan.siteUrlList),
    addressList: new SpillQueue(disk, directory.addressList, ADDRESS_SHARE * plan.siteUrlList),
    waiting: new NameRetries(disk, {
      ...{ retries, retryDelay, clock, memoryBytes: AGAIN_SHARE * plan.siteUrlList },
      path: (queue) => directory.nameRetries(queue),
    }),
  });
  const inbox = new SpillQueue(disk, directory.inbox(agents), plan.agent.inbox);
  const seeds = new SeedRecords(directory.seeds, disk);
  const coordinator = new Coordinator({
    ...shared,
    ...{ agents, disk, questions, siteTable },
    siteUrlDrum: {
      directory: directory.siteUrlDrum,
      memoryBytes: plan.siteUrlDrum,
      manifest: start === 0 ? undefined : files.siteUrlDrum,
    },
    inbox,
    assignment: ASSIGNMENTS[assign]!(agents),
    seeds,
  });
  if (start === 0) return coordinator;
  const state = loadJson(disk, files.coordinator, COORDINATOR_STATE);
  readRecordFile(disk, files.siteTable, (bytes, from, to) => siteTable.restoreChunk(bytes, from, to));
  if (state.isTableOverflown) siteTable.setOverflown();
  siteTable.announce();
  readRecordFile(disk, files.siteUrlList, (bytes, from, to) => questions.add(bytes, from, to));
  readRecordFile(disk, files.inbox(agents), (bytes, from, to) => inbox.push(bytes, from, to));
  seeds.seek(state.seedPosition);
  coordinator.restore(state);
  return coordinator;
}
