/**
 * Which slots of a file may be written: a slot that was given back is used again, but not before a checkpoint that does
 * without it was confirmed, as a crawl may have to go back to one that needs it.
 */
export class SlotPool {
  /** Slots of the file, used or not. */
  count = 0;
  readonly #isSaved: boolean;
  readonly #free: number[] = [];
  /** Given back since the last `save`, and before it, until it is confirmed. */
  #givenBack: number[] = [];
  #unconfirmed: number[] = [];

  /** `isSaved`: checkpoints will be made. */
  constructor(isSaved: boolean) {
    this.#isSaved = isSaved;
  }

  /** As a checkpoint left it: slots 0 to `count` - 1, of which those for which it does not hold are free. */
  restore(count: number, isUsed: (slot: number) => boolean): void {
    this.count = count;
    for (let slot = 0; slot < count; slot++) if (!isUsed(slot)) this.#free.push(slot);
  }

  take(): number {
    return this.#free.pop() ?? this.count++;
  }

  giveBack(slot: number): void {
    (this.#isSaved ? this.#givenBack : this.#free).push(slot);
  }

  save(): void {
    for (const slot of this.#givenBack) this.#unconfirmed.push(slot);
    this.#givenBack = [];
  }

  /** Nobody will go back to what was saved before the last time. */
  confirm(): void {
    for (const slot of this.#unconfirmed) this.#free.push(slot);
    this.#unconfirmed = [];
  }
}
