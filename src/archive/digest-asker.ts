/** How an agent asks the thread that keeps the digests of all payloads (`digest-board.ts`). */

import {
  ANSWERED,
  ASKED,
  CONFIRM,
  DIGEST_BYTES,
  type DigestMemory,
  DigestSlot,
  FAILED,
  FIND,
  FREE,
  GONE,
  getPlace,
  LOADING,
  NOTE_BYTES,
  NOTING,
  PLACE_AT,
  ringKeeper,
  SAVE,
  STATE,
  setPlace,
  TAKE_NOTES,
  TURN,
  WHAT,
  WRONG_AT,
} from '../boards/digest-board.js';
import { DigestFilter } from '../boards/digest-filter.js';
import { assert } from '../model/assert.js';
import { DrumlineError } from '../model/errors.js';
import { type LifeSigns, UNWATCHED, waiting } from '../model/life-signs.js';
import { ringAt } from '../ring/ring-slabs.js';
import { SpscProducer } from '../ring/spsc-ring.js';
import type { StoredDigests, StoredPlace } from '../store/page-store.js';

/** Milliseconds after which a waiting thread looks whether there is anybody left to wait for. */
const LOOKS = 100;

/** The agents' side. */
export class DigestAsker implements StoredDigests {
  readonly #signs: LifeSigns;
  readonly #counter: Int32Array;
  readonly #slot: DigestSlot;
  readonly #filter: DigestFilter;
  readonly #notes: SpscProducer;
  readonly #note = new DataView(new ArrayBuffer(NOTE_BYTES));
  /** Of the digest that was announced: is it new, or is it to be asked for? */
  #announced: 'no' | 'new' | 'asked' = 'no';

  constructor({ counter, filter, notes }: DigestMemory, agent: number, signs: LifeSigns = UNWATCHED) {
    this.#signs = signs;
    this.#counter = new Int32Array(counter, 0, 2);
    this.#slot = new DigestSlot(counter, agent);
    this.#filter = new DigestFilter(filter);
    this.#notes = new SpscProducer(ringAt(notes, agent));
    this.#waitWhileLoading();
    // An agent that died over a question leaves it there, perhaps before it rang.
    ringKeeper(this.#counter);
    this.#waitWhileAsked();
    this.#slot.words[TURN] = FREE;
    Atomics.store(this.#slot.words, NOTING, 0);
  }

  announce(digest: Uint8Array, place: StoredPlace): void {
    this.#announced = this.#isNew(digest, place) ? 'new' : 'asked';
    if (this.#announced === 'asked') this.#askFor(digest, place, null);
  }

  find(digest: Uint8Array, place: StoredPlace, wrong: StoredPlace | null): StoredPlace | null {
    if (wrong !== null) this.#askFor(digest, place, wrong);
    else if (this.#announced === 'no') this.announce(digest, place);
    const isNew = this.#announced === 'new';
    this.#announced = 'no';
    if (isNew) return null;
    this.#takeAnswer();
    return getPlace(this.#slot.view, PLACE_AT);
  }

  /** True for certain: then it is noted. */
  #isNew(digest: Uint8Array, place: StoredPlace): boolean {
    if (!this.#notes.hasRoom(NOTE_BYTES)) {
      this.#ask(TAKE_NOTES);
      this.#takeAnswer();
    }
    const { words } = this.#slot;
    Atomics.store(words, NOTING, 1);
    const isKept = Atomics.load(this.#counter, STATE) !== GONE;
    const isNew = this.#filter.add(digest) && isKept;
    if (isNew) this.#leaveNote(digest, place);
    Atomics.store(words, NOTING, 0);
    return isNew;
  }

  #leaveNote(digest: Uint8Array, place: StoredPlace): void {
    const bytes = new Uint8Array(this.#note.buffer);
    bytes.set(digest);
    setPlace(this.#note, DIGEST_BYTES, place);
    // There is, since the keeper was asked to take the others: a note that got lost would be a page stored twice.
    const isLeft = this.#notes.tryWrite(bytes, 0, NOTE_BYTES);
    assert(isLeft, 'there is room for a note');
    this.#notes.publish();
  }

  #askFor(digest: Uint8Array, place: StoredPlace, wrong: StoredPlace | null): void {
    this.#slot.digest.set(digest);
    setPlace(this.#slot.view, PLACE_AT, place);
    setPlace(this.#slot.view, WRONG_AT, wrong);
    this.#ask(FIND);
  }

  save(path: string): void {
    this.#slot.text = path;
    this.#ask(SAVE);
    this.#takeAnswer();
  }

  confirm(): void {
    this.#ask(CONFIRM);
    this.#takeAnswer();
  }

  /** The keeper closes them, when all agents came to their end. */
  close(): void {}

  #ask(what: number): void {
    const { words } = this.#slot;
    words[WHAT] = what;
    Atomics.store(words, TURN, ASKED);
    ringKeeper(this.#counter);
  }

  #takeAnswer(): void {
    const { words } = this.#slot;
    this.#waitWhileAsked();
    const turn = Atomics.exchange(words, TURN, FREE);
    if (turn === ANSWERED) return;
    throw new DrumlineError('DIGESTS', turn === FAILED ? this.#slot.text : 'the keeper of digests is gone');
  }

  /** Before the agent's first turn, when nobody expects a sign of life: the keys of many millions of bodies take a while. */
  #waitWhileLoading(): void {
    while (Atomics.load(this.#counter, STATE) === LOADING) Atomics.wait(this.#counter, STATE, LOADING, LOOKS);
  }

  #waitWhileAsked(): void {
    const { words } = this.#slot;
    waiting(this.#signs, () => {
      while (Atomics.load(words, TURN) === ASKED && Atomics.load(this.#counter, STATE) !== GONE)
        Atomics.wait(words, TURN, ASKED, LOOKS);
    });
  }
}
