/** How the keeper of the digests answers what agents ask (`digest-board.ts`). */

import {
  ANSWERED,
  ASKED,
  CLOSING,
  CONFIRM,
  DIGEST_BYTES,
  type DigestMemory,
  DigestSlot,
  FAILED,
  FIND,
  GONE,
  getPlace,
  LOADING,
  NOTE_BYTES,
  NOTING,
  OPEN,
  PLACE_AT,
  RINGS,
  ringKeeper,
  SAVE,
  STATE,
  setPlace,
  TAKE_NOTES,
  TURN,
  WHAT,
  WRONG_AT,
} from '../boards/digest-board.js';
import { assert } from '../model/assert.js';
import { oneLine } from '../model/errors.js';
import { ringAt } from '../ring/ring-slabs.js';
import { SpscConsumer } from '../ring/spsc-ring.js';
import type { StoredDigests, StoredPlace } from '../store/page-store.js';

/** Milliseconds. An agent needs a microsecond to leave a note; one that died over it is not waited for. */
const LONGEST_NOTING = 50;

/** What the keeper answers from. */
export interface KeptDigests extends StoredDigests {
  /** A payload that nobody had is about to be stored at the place, unless it is known by now. */
  note(digest: Uint8Array, place: StoredPlace): void;
}

/** The keeper's side. */
export class DigestCounter {
  readonly #counter: Int32Array;
  readonly #slots: DigestSlot[];
  readonly #notes: SpscConsumer[];
  /** The manifest saved last: the first agent that asks for it has it written, before any other stores a page. */
  #saved = '';

  constructor({ counter, notes }: DigestMemory) {
    this.#counter = new Int32Array(counter, 0, 2);
    const agents = [...Array(notes.count).keys()];
    this.#slots = agents.map((agent) => new DigestSlot(counter, agent));
    this.#notes = agents.map((agent) => new SpscConsumer(ringAt(notes, agent)));
  }

  /** Keeper: the filter has all digests. */
  postLoaded(): void {
    Atomics.compareExchange(this.#counter, STATE, LOADING, OPEN);
    Atomics.notify(this.#counter, STATE);
  }

  /** Main thread: no agent will ask any more. */
  close(): void {
    this.postLoaded();
    Atomics.compareExchange(this.#counter, STATE, OPEN, CLOSING);
    ringKeeper(this.#counter);
  }

  /** Keeper: answers from the digests until the counter is closed, or one of its answers fails. */
  serve(digests: KeptDigests): void {
    for (;;) {
      // Before the looks that it is to make good for.
      const rings = Atomics.load(this.#counter, RINGS);
      if (Atomics.load(this.#counter, STATE) !== OPEN) return;
      if (!this.#answerAll(digests)) Atomics.wait(this.#counter, RINGS, rings);
    }
  }

  /** Main thread: the keeper came to its end, so nobody shall wait for an answer. */
  abandon(): void {
    Atomics.store(this.#counter, STATE, GONE);
    for (const { words } of this.#slots) Atomics.notify(words, TURN);
  }

  /** All that was noted before now, by whatever agent. */
  #takeNotes(digests: KeptDigests): void {
    for (const [agent, notes] of this.#notes.entries()) {
      const { words } = this.#slots[agent]!;
      for (let looks = 0; looks < LONGEST_NOTING && Atomics.load(words, NOTING) === 1; looks++)
        Atomics.wait(words, NOTING, 1, 1);
      notes.drain(Number.POSITIVE_INFINITY, (bytes, start, end) => {
        assert(end - start === NOTE_BYTES, 'a note has the length of one');
        const view = new DataView(bytes.buffer, bytes.byteOffset + start, end - start);
        const place = getPlace(view, DIGEST_BYTES);
        assert(place !== null, 'a note says where a page is stored');
        digests.note(bytes.subarray(start, start + DIGEST_BYTES), place);
      });
    }
  }

  #answerAll(digests: KeptDigests): boolean {
    let answered = false;
    for (const slot of this.#slots) {
      const { words } = slot;
      if (Atomics.load(words, TURN) !== ASKED) continue;
      answered = true;
      try {
        this.#answer(digests, slot);
      } catch (error) {
        slot.text = oneLine(error);
        Atomics.store(words, TURN, FAILED);
        Atomics.notify(words, TURN);
        throw error;
      }
      Atomics.store(words, TURN, ANSWERED);
      Atomics.notify(words, TURN);
    }
    return answered;
  }

  #answer(digests: KeptDigests, slot: DigestSlot): void {
    this.#takeNotes(digests);
    switch (slot.words[WHAT]) {
      case FIND: {
        const { digest, view } = slot;
        const place = getPlace(view, PLACE_AT);
        assert(place !== null, 'who asks for a digest says where the page goes');
        setPlace(view, PLACE_AT, digests.find(digest, place, getPlace(view, WRONG_AT)));
        break;
      }
      case SAVE:
        if (this.#saved !== slot.text) digests.save(slot.text);
        this.#saved = slot.text;
        break;
      case CONFIRM:
        digests.confirm();
        break;
      default:
        // There is room in the ring now.
        assert(slot.words[WHAT] === TAKE_NOTES, 'an agent asks the keeper of digests for what it knows');
        break;
    }
  }
}
