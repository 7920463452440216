/**
 * How agents ask the thread that keeps the digests of all payloads, as customers at a counter: each has a place of its
 * own in shared memory, puts its question there, rings, goes on with what it can do meanwhile, and waits for the answer.
 *
 * Most payloads are new, and a filter in shared memory says so: then the agent leaves a note of where it stores the
 * payload, in a ring to the keeper, and asks nothing. A note has 20 bytes of digest and 16 of place.
 *
 * | offset                  | size | name    | writes         | reads          |
 * |-------------------------|------|---------|----------------|----------------|
 * | 0                       | 4    | rings   | agents, main   | keeper         | grows with each question
 * | 4                       | 4    | state   | main, keeper   | agents, keeper | OPEN, CLOSING (no more questions), GONE, LOADING
 * | 8192 (agent + 1)        | 4    | turn    | agent, keeper  | agent, keeper  | FREE, ASKED, ANSWERED or FAILED
 * |                  + 4    | 4    | what    | agent          | keeper         | FIND, SAVE, CONFIRM or TAKE_NOTES
 * |                  + 8    | 16   | place   | agent, keeper  | agent, keeper  | of the payload if it is new; the answer
 * |                  + 24   | 16   | wrong   | agent          | keeper         | where it was found, and is not
 * |                  + 40   | 20   | digest  | agent          | keeper         |
 * |                  + 60   | 4    | length  | agent, keeper  | agent, keeper  | of the text
 * |                  + 64   | 4    | noting  | agent          | keeper         | 1: it may be in the filter, and not in the ring
 * |                  + 68   |      | text    | agent, keeper  | agent, keeper  | the manifest's path; why it FAILED
 *
 * A place has 4 bytes for the agent, or NOWHERE, 4 for the serial and 8 for the offset.
 *
 * Invariants
 * 1. A digest that is in the DRUM or in a ring is in the filter, once the keeper is not LOADING any more; agents wait for
 *    that.
 * 2. One that is in the filter is in the DRUM, in a ring, or in the hands of an agent that is noting, asking, or dead: so the
 *    keeper takes all notes before it answers a question, and waits a moment for who is noting.
 */
import { DrumlineError, oneLine } from '../model/errors.js';
import type { CrawlOptions } from '../model/options.js';
import { allocateRing, SpscConsumer, SpscProducer } from '../ring/spsc-ring.js';
import type { StoredDigests, StoredPlace } from '../store/page-store.js';
import { allocateDigestFilter, DigestFilter } from './digest-filter.js';

const SLOT_BYTES = 8192;
const RINGS = 0;
const STATE = 1;
const OPEN = 0;
const CLOSING = 1;
const GONE = 2;
/** The filter does not have the digests of an earlier run yet. */
const LOADING = 3;

const TURN = 0;
const WHAT = 1;
const PLACE_AT = 8;
const WRONG_AT = 24;
const DIGEST_AT = 40;
const DIGEST_BYTES = 20;
const LENGTH = 15;
const NOTING = 16;
const TEXT_AT = 68;

const FREE = 0;
const ASKED = 1;
const ANSWERED = 2;
const FAILED = 3;
const FIND = 0;
const SAVE = 1;
const CONFIRM = 2;
const TAKE_NOTES = 3;
const NOWHERE = -1;
/** Milliseconds after which a waiting thread looks whether there is anybody left to wait for. */
const LOOKS = 100;
const PLACE_BYTES = 16;
const NOTE_BYTES = DIGEST_BYTES + PLACE_BYTES;
/** Takes some hundred notes. */
const NOTES_RING = 1 << 14;
/** Milliseconds. An agent needs a microsecond to leave a note; one that died over it is not waited for. */
const LONGEST_NOTING = 50;

/** One agent keeps its digests itself, in half of the time. */
export const sharesDigests = ({ agents }: Pick<CrawlOptions, 'agents'>): boolean => agents > 1;

export interface DigestMemory {
  readonly counter: SharedArrayBuffer;
  readonly filter: SharedArrayBuffer;
  /** Of notes, one for each agent. */
  readonly notes: readonly SharedArrayBuffer[];
}

/** `isLoading`: there may be digests already, and the keeper says when the filter has them. */
export function allocateDigestCounter(agents: number, filterBytes: number, isLoading = false): DigestMemory {
  const counter = new SharedArrayBuffer(SLOT_BYTES * (agents + 1));
  if (isLoading) new Int32Array(counter)[STATE] = LOADING;
  const notes = Array.from({ length: agents }, () => allocateRing(NOTES_RING));
  return { counter, filter: allocateDigestFilter(filterBytes), notes };
}

function getPlace(view: DataView, at: number): StoredPlace | null {
  const agent = view.getInt32(at);
  if (agent === NOWHERE) return null;
  return { agent, serial: view.getUint32(at + 4), offset: view.getFloat64(at + 8) };
}

function setPlace(view: DataView, at: number, place: StoredPlace | null): void {
  view.setInt32(at, place?.agent ?? NOWHERE);
  view.setUint32(at + 4, place?.serial ?? 0);
  view.setFloat64(at + 8, place?.offset ?? 0);
}

function ring(counter: Int32Array): void {
  Atomics.add(counter, RINGS, 1);
  Atomics.notify(counter, RINGS);
}

/** One agent's place at the counter. */
class Slot {
  readonly words: Int32Array;
  readonly digest: Uint8Array;
  readonly view: DataView;
  readonly #text: Uint8Array;

  constructor(memory: SharedArrayBuffer, agent: number) {
    const at = SLOT_BYTES * (agent + 1);
    this.words = new Int32Array(memory, at, TEXT_AT / 4);
    this.digest = new Uint8Array(memory, at + DIGEST_AT, DIGEST_BYTES);
    this.view = new DataView(memory, at, TEXT_AT);
    this.#text = new Uint8Array(memory, at + TEXT_AT, SLOT_BYTES - TEXT_AT);
  }

  get text(): string {
    return Buffer.from(this.#text.subarray(0, this.words[LENGTH])).toString();
  }

  set text(text: string) {
    const bytes = Buffer.from(text).subarray(0, this.#text.length);
    this.#text.set(bytes);
    this.words[LENGTH] = bytes.length;
  }
}

/** The agents' side. */
export class DigestAsker implements StoredDigests {
  readonly #counter: Int32Array;
  readonly #slot: Slot;
  readonly #filter: DigestFilter;
  readonly #notes: SpscProducer;
  readonly #note = new DataView(new ArrayBuffer(NOTE_BYTES));
  /** Of the digest that was announced: is it new, or is it to be asked for? */
  #announced: 'no' | 'new' | 'asked' = 'no';

  constructor({ counter, filter, notes }: DigestMemory, agent: number) {
    this.#counter = new Int32Array(counter, 0, 2);
    this.#slot = new Slot(counter, agent);
    this.#filter = new DigestFilter(filter);
    this.#notes = new SpscProducer(notes[agent]!);
    this.#waitWhileLoading();
    // An agent that died over a question leaves it there, perhaps before it rang.
    ring(this.#counter);
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
    this.#notes.tryWrite(bytes, 0, NOTE_BYTES);
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
    ring(this.#counter);
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
    while (Atomics.load(words, TURN) === ASKED && Atomics.load(this.#counter, STATE) !== GONE)
      Atomics.wait(words, TURN, ASKED, LOOKS);
  }
}

/** What the keeper answers from. */
export interface KeptDigests extends StoredDigests {
  /** A payload that nobody had is about to be stored at the place, unless it is known by now. */
  note(digest: Uint8Array, place: StoredPlace): void;
}

/** The keeper's side. */
export class DigestCounter {
  readonly #counter: Int32Array;
  readonly #slots: Slot[];
  readonly #notes: SpscConsumer[];
  /** The manifest saved last: the first agent that asks for it has it written, before any other stores a page. */
  #saved = '';

  constructor({ counter, notes }: DigestMemory) {
    this.#counter = new Int32Array(counter, 0, 2);
    this.#slots = notes.map((_, agent) => new Slot(counter, agent));
    this.#notes = notes.map((ring) => new SpscConsumer(ring));
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
    ring(this.#counter);
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
        const view = new DataView(bytes.buffer, bytes.byteOffset + start, end - start);
        const place = getPlace(view, DIGEST_BYTES);
        if (place !== null) digests.note(bytes.subarray(start, start + DIGEST_BYTES), place);
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

  #answer(digests: KeptDigests, slot: Slot): void {
    this.#takeNotes(digests);
    switch (slot.words[WHAT]) {
      case FIND: {
        const { digest, view } = slot;
        setPlace(view, PLACE_AT, digests.find(digest, getPlace(view, PLACE_AT)!, getPlace(view, WRONG_AT)));
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
        // TAKE_NOTES: there is room in the ring now.
        break;
    }
  }
}
