/** What happened in a simulated crawl: a hash of all decisions, what occurred how often, and, if asked for, a line each. */
export class Trace {
  readonly #print: ((line: string) => void) | null;
  #hash = 0x811c9dc5;
  readonly counts = new Map<string, number>();

  constructor(print: ((line: string) => void) | null = null) {
    this.#print = print;
  }

  /** A decision of the scheduler's: part of the hash. */
  decide(what: string, now: number): void {
    for (let i = 0; i < what.length; i++) this.#mix(what.charCodeAt(i));
    this.#mix(Math.floor(now * 16));
    this.#print?.(`${now.toFixed(2).padStart(10)} ${what}`);
  }

  /** Something worth counting: part of the hash too. */
  count(what: string, now: number): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
    this.decide(what, now);
  }

  get hash(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0');
  }

  #mix(value: number): void {
    this.#hash = Math.imul(this.#hash ^ value, 0x01000193);
  }
}
