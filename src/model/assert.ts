/**
 * Preconditions and invariants that are executed. One that does not hold is a defect of this program: it ends the crawl with
 * its reason. Nothing is started again over it, as what is wrong in memory would be saved and gone on from.
 *
 * `assert` is for what costs a comparison. What walks over data goes through `assertCostly`, which does nothing until tests
 * or the simulator turn it on; it is called once a turn, a page or a checkpoint, never for each link.
 */
import { DrumlineError } from './errors.js';

export const DEFECT = 'DEFECT';

let areCostlyOn = false;

/** `what` had to hold, as a constant text: it is made at every call. */
export function assert(holds: boolean, what: string): asserts holds {
  if (!holds) defect(what);
}

export function assertCostly(holds: () => boolean, what: string): void {
  if (areCostlyOn && !holds()) defect(what);
}

/** For this thread, from now on. */
export function turnOnCostlyAssertions(): void {
  areCostlyOn = true;
}

/** It does not hold that `what`. */
export function defect(what: string): never {
  throw new DrumlineError(DEFECT, `a defect of drumline: it does not hold that ${what}`);
}
