/**
 * Do the name servers answer at all? A name whose own servers fail says nothing about that, and there may be a thousand
 * of them on one page. So when many names in a row failed, hosts that were found before are asked about, by names that no
 * cache on the way can know. Only if there is no answer there either, it is an outage; any answer ends it.
 */
import type { Clock } from '../model/clock.js';

export interface ResolverHealthParts {
  readonly clock: Clock;
  /** Is there any answer for names below this host? */
  readonly probe: (host: string, done: (isAnswered: boolean) => void) => void;
  /** An outage begins or ends, in words. */
  readonly say: (message: string) => void;
  /** Something may be asked again. */
  readonly wake: () => void;
}

/** Failures in a row that are suspicious. */
const SUSPICIOUS = 16;
/** Hosts asked about at a time. */
const WITNESSES = 3;
/** Longer names would have no room for another label. */
const LONGEST_NAME = 200;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

export class ResolverHealth {
  readonly #parts: ResolverHealthParts;
  /** Found lately, the latest last. */
  readonly #witnesses: string[] = [];
  #failures = 0;
  #isAsking = false;
  #pause = 0;
  #nextAt = 0;
  /** The name servers do not answer: nothing new should be asked for, but for what `takeProbe` allows. */
  isOut = false;

  constructor(parts: ResolverHealthParts) {
    this.#parts = parts;
  }

  /** Were there any answers yet? Where there were none, it can't be known whose fault a failure is. */
  get hasWitnesses(): boolean {
    return this.#witnesses.length > 0;
  }

  /** Milliseconds until it should be tried whether an outage is over. */
  get delay(): number {
    return this.isOut ? Math.max(0, this.#nextAt - this.#parts.clock()) : Number.POSITIVE_INFINITY;
  }

  /** There was an answer for the host: an address, or that there is none. */
  noteAnswer(host: string, isFound: boolean): void {
    this.#failures = 0;
    if (isFound && host.length <= LONGEST_NAME && !this.#witnesses.includes(host)) {
      this.#witnesses.push(host);
      if (this.#witnesses.length > WITNESSES) this.#witnesses.shift();
    }
    this.#recover();
  }

  noteFailure(): void {
    if (this.isOut || this.#isAsking || ++this.#failures < SUSPICIOUS) return;
    this.#failures = 0;
    if (this.hasWitnesses) this.#askWitnesses();
    else this.#begin();
  }

  /** The time has come to try: asks about witnesses, and the caller should ask for some of what waits. */
  takeProbe(): void {
    this.#pause = Math.min(LONGEST_PAUSE_MS, 2 * this.#pause);
    this.#nextAt = this.#parts.clock() + this.#pause;
    if (this.hasWitnesses && !this.#isAsking) this.#askWitnesses();
  }

  #askWitnesses(): void {
    this.#isAsking = true;
    const hosts = [...this.#witnesses];
    let left = hosts.length;
    let isAnswered = false;
    for (const host of hosts) {
      this.#parts.probe(host, (answers) => {
        isAnswered ||= answers;
        if (isAnswered) this.#recover();
        if (--left > 0) return;
        this.#isAsking = false;
        if (!isAnswered) this.#begin();
      });
    }
  }

  #begin(): void {
    if (this.isOut) return;
    this.isOut = true;
    this.#pause = FIRST_PAUSE_MS;
    this.#nextAt = this.#parts.clock() + this.#pause;
    this.#parts.say('the name servers do not answer: new sites wait until they do');
    this.#parts.wake();
  }

  #recover(): void {
    this.#failures = 0;
    if (!this.isOut) return;
    this.isOut = false;
    this.#parts.say('the name servers answer again');
    this.#parts.wake();
  }
}
