/** What a run is given beside its options: who hears of it, and what stands in for the real world. */
import type { NeededFile } from '../checkpoint/needed-file.js';
import type { SiteNames } from '../coordinator/name-questions.js';
import type { Disk } from '../model/disk.js';
import type { FaultSpec } from '../model/faults.js';
import type { MainWorld } from '../model/world.js';

export interface Surroundings {
  /** Tells people what they should know meanwhile. */
  readonly say?: (message: string) => void;
  /** Room on the disk that the crawl directory is on. */
  readonly freeBytes?: () => number;
  /** The coordinator's disk. */
  readonly disk?: Disk;
  /** Of log and list, by the runs before: checkpoints need them, too. */
  readonly earlierParts?: readonly NeededFile[];
  /** Another world than the real one, and who knows its hosts. */
  readonly world?: MainWorld;
  readonly names?: SiteNames;
  /** What tests put in the agents' way. */
  readonly faults?: FaultSpec;
  /** Milliseconds without a sign of life until an agent counts as dead. */
  readonly hangTimeout?: number;
}
