/**
 * Faults for the threads of a crawl with two agents: agent 0 dies with most of the pages, before it was saved, and is
 * kept from its next life while agent 1, which waited until then, goes on.
 */
import { nodeDisk } from '#drumline/model/disk.js';
import type { FaultSpec, Faults } from '#drumline/model/faults.js';

interface DeathNearTarget {
  readonly words: Int32Array;
  /** Pages that agent 0 reads before it dies. */
  readonly dieAfter: number;
  /** Pages that agent 1 has read when agent 0 lives again, if it does not find out that it is done before. */
  readonly goOnTo: number;
}

const LIVES = 0;
const PAGES = 1;
const WORDS = 2;
/** Agent 1 has a few pages only until agent 0 is dead. */
const FIRST_PAGES = 10;
/** Milliseconds that either is kept waiting at most. */
const LONGEST_WAIT = 3000;

export const deathNearTarget = (dieAfter: number, goOnTo: number): FaultSpec => ({
  module: import.meta.url,
  data: { words: new Int32Array(new SharedArrayBuffer(4 * WORDS)), dieAfter, goOnTo },
});

function waitUntil(words: Int32Array, word: number, least: number): void {
  const end = performance.now() + LONGEST_WAIT;
  for (;;) {
    const now = Atomics.load(words, word);
    const left = end - performance.now();
    if (now >= least || left <= 0) return;
    Atomics.wait(words, word, now, left);
  }
}

/** Between two turns, when no page is claimed that did not come. */
function dieSoon(): void {
  setImmediate(() => {
    throw new Error('died near the target');
  });
}

export function openFaults(thread: number, { words, dieAfter, goOnTo }: DeathNearTarget): Faults {
  const add = (word: number): number => {
    const before = Atomics.add(words, word, 1);
    Atomics.notify(words, word);
    return before + 1;
  };
  const isSecond = thread === 0 && add(LIVES) > 1;
  if (isSecond) waitUntil(words, PAGES, goOnTo);
  let pages = 0;
  return {
    disk: nodeDisk,
    beforeRead() {
      pages++;
      if (thread === 0 && !isSecond && pages === dieAfter) dieSoon();
      if (thread === 1 && add(PAGES) === FIRST_PAGES) waitUntil(words, LIVES, 2);
    },
  };
}
