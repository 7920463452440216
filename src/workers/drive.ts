/** The loop that drives turns in a thread, and the only one that waits between them. */
import { AGAIN, HELD, OVER, type TurnTaker } from '../model/turn.js';
import type { Bell } from '../model/world.js';

/** Milliseconds that a thread is held at most before it takes another turn, in case that a bell was missed. */
const LONGEST_HOLD_MS = 20;

export async function drive(taker: TurnTaker, bell: Bell): Promise<void> {
  for (;;) {
    const next = taker.turn();
    if (next === OVER) return;
    if (next === AGAIN) await new Promise(setImmediate);
    else if (next === HELD) bell.sleepHard(taker.hasWork, LONGEST_HOLD_MS);
    // A sleep that finds work at once has not let the thread see to its events.
    else if ((await bell.sleep(taker.hasWork, next)) === 'work') await new Promise(setImmediate);
  }
}
