/**
 * How agents ask the thread that keeps the digests of all payloads, as customers at a counter: each has a place of its
 * own in shared memory, puts its question there, rings, goes on with what it can do meanwhile, and waits for the answer.
 *
 * | offset                  | size | name    | writes         | reads          |
 * |-------------------------|------|---------|----------------|----------------|
 * | 0                       | 4    | rings   | agents, main   | keeper         | grows with each question
 * | 4                       | 4    | state   | main           | agents, keeper | OPEN, CLOSING (no more questions), GONE
 * | 8192 (agent + 1)        | 4    | turn    | agent, keeper  | agent, keeper  | FREE, ASKED, ANSWERED or FAILED
 * |                  + 4    | 4    | what    | agent          | keeper         | FIND, SAVE or CONFIRM
 * |                  + 8    | 16   | place   | agent, keeper  | agent, keeper  | of the payload if it is new; the answer
 * |                  + 24   | 16   | wrong   | agent          | keeper         | where it was found, and is not
 * |                  + 40   | 20   | digest  | agent          | keeper         |
 * |                  + 60   | 4    | length  | agent, keeper  | agent, keeper  | of the text
 * |                  + 64   |      | text    | agent, keeper  | agent, keeper  | the manifest's path; why it FAILED
 *
 * A place has 4 bytes for the agent, or NOWHERE, 4 for the serial and 8 for the offset.
 */
import { DrumlineError, oneLine } from '../model/errors.js';
import type { CrawlOptions } from '../model/options.js';
import type { StoredDigests, StoredPlace } from '../store/page-store.js';

const SLOT_BYTES = 8192;
const RINGS = 0;
const STATE = 1;
const OPEN = 0;
const CLOSING = 1;
const GONE = 2;

const TURN = 0;
const WHAT = 1;
const PLACE_AT = 8;
const WRONG_AT = 24;
const DIGEST_AT = 40;
const DIGEST_BYTES = 20;
const LENGTH = 15;
const TEXT_AT = 64;

const FREE = 0;
const ASKED = 1;
const ANSWERED = 2;
const FAILED = 3;
const FIND = 0;
const SAVE = 1;
const CONFIRM = 2;
const NOWHERE = -1;
/** Milliseconds after which a waiting thread looks whether there is anybody left to wait for. */
const LOOKS = 100;

/** One agent keeps its digests itself, in half of the time. */
export const sharesDigests = ({ agents }: Pick<CrawlOptions, 'agents'>): boolean => agents > 1;

export const allocateDigestCounter = (agents: number): SharedArrayBuffer =>
  new SharedArrayBuffer(SLOT_BYTES * (agents + 1));

function ring(counter: Int32Array): void {
  Atomics.add(counter, RINGS, 1);
  Atomics.notify(counter, RINGS);
}

/** One agent's place at the counter. */
class Slot {
  readonly words: Int32Array;
  readonly digest: Uint8Array;
  readonly #view: DataView;
  readonly #text: Uint8Array;

  constructor(memory: SharedArrayBuffer, agent: number) {
    const at = SLOT_BYTES * (agent + 1);
    this.words = new Int32Array(memory, at, TEXT_AT / 4);
    this.digest = new Uint8Array(memory, at + DIGEST_AT, DIGEST_BYTES);
    this.#view = new DataView(memory, at, TEXT_AT);
    this.#text = new Uint8Array(memory, at + TEXT_AT, SLOT_BYTES - TEXT_AT);
  }

  getPlace(at: number): StoredPlace | null {
    const view = this.#view;
    const agent = view.getInt32(at);
    if (agent === NOWHERE) return null;
    return { agent, serial: view.getUint32(at + 4), offset: view.getFloat64(at + 8) };
  }

  setPlace(at: number, place: StoredPlace | null): void {
    const view = this.#view;
    view.setInt32(at, place?.agent ?? NOWHERE);
    view.setUint32(at + 4, place?.serial ?? 0);
    view.setFloat64(at + 8, place?.offset ?? 0);
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
  /** The next question to find something was put already. */
  #isAnnounced = false;

  constructor(memory: SharedArrayBuffer, agent: number) {
    this.#counter = new Int32Array(memory, 0, 2);
    this.#slot = new Slot(memory, agent);
    // An agent that died over a question leaves it there, perhaps before it rang.
    ring(this.#counter);
    this.#waitWhileAsked();
    this.#slot.words[TURN] = FREE;
  }

  announce(digest: Uint8Array, place: StoredPlace): void {
    this.#askFor(digest, place, null);
    this.#isAnnounced = true;
  }

  find(digest: Uint8Array, place: StoredPlace, wrong: StoredPlace | null): StoredPlace | null {
    if (!this.#isAnnounced) this.#askFor(digest, place, wrong);
    this.#isAnnounced = false;
    this.#takeAnswer();
    return this.#slot.getPlace(PLACE_AT);
  }

  #askFor(digest: Uint8Array, place: StoredPlace, wrong: StoredPlace | null): void {
    this.#slot.digest.set(digest);
    this.#slot.setPlace(PLACE_AT, place);
    this.#slot.setPlace(WRONG_AT, wrong);
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

  #waitWhileAsked(): void {
    const { words } = this.#slot;
    while (Atomics.load(words, TURN) === ASKED && Atomics.load(this.#counter, STATE) !== GONE)
      Atomics.wait(words, TURN, ASKED, LOOKS);
  }
}

/** The keeper's side. */
export class DigestCounter {
  readonly #counter: Int32Array;
  readonly #slots: Slot[];
  /** The manifest saved last: the first agent that asks for it has it written, before any other stores a page. */
  #saved = '';

  constructor(memory: SharedArrayBuffer) {
    this.#counter = new Int32Array(memory, 0, 2);
    const agents = memory.byteLength / SLOT_BYTES - 1;
    this.#slots = Array.from({ length: agents }, (_, agent) => new Slot(memory, agent));
  }

  /** Main thread: no agent will ask any more. */
  close(): void {
    Atomics.compareExchange(this.#counter, STATE, OPEN, CLOSING);
    ring(this.#counter);
  }

  /** Keeper: answers from the digests until the counter is closed, or one of its answers fails. */
  serve(digests: StoredDigests): void {
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

  #answerAll(digests: StoredDigests): boolean {
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

  #answer(digests: StoredDigests, slot: Slot): void {
    switch (slot.words[WHAT]) {
      case FIND: {
        const place = slot.getPlace(PLACE_AT)!;
        slot.setPlace(PLACE_AT, digests.find(slot.digest, place, slot.getPlace(WRONG_AT)));
        break;
      }
      case SAVE:
        if (this.#saved !== slot.text) digests.save(slot.text);
        this.#saved = slot.text;
        break;
      default:
        digests.confirm();
    }
  }
}
