/**
 * A turn is what an agent, the coordinator or a checkpoint does in one go. It never waits: it returns what it needs
 * next, and whoever drives it sees to that. In a crawl that is a loop in a thread (`workers/drive.ts`), in the simulator
 * the scheduler.
 */

/** Another turn, once the thread has seen to its events. */
export const AGAIN = 0;
/** Another turn when a bell rings, and nothing else of the thread goes on until then: a checkpoint is being made. */
export const HELD = -1;
/** No more turns. */
export const OVER = -2;

/** AGAIN, HELD or OVER; else the milliseconds to sleep unless a bell rings, Infinity for as long as that takes. */
export type Next = number;

export interface TurnTaker {
  turn(): Next;
  /** Is there something to do that makes the sleep or the hold asked for by the last turn unnecessary? */
  readonly hasWork: () => boolean;
}
