/**
 * What every agent counts while it crawls, in shared memory, so that the monitor can look at any time.
 *
 * | offset                  | size | name       | writes  | reads           |
 * |-------------------------|------|------------|---------|-----------------|
 * | agent * BLOCK + 8 index | 8    | a counter  | agent   | anyone, relaxed |
 *
 * Counters are doubles, written whole; a reader may see one counter newer than another.
 */
export const COUNTERS = [
  'pages',
  'repeatedPages',
  'bytes',
  'linksExtracted',
  'linksDropped',
  'pageUrlsExchanged',
  'siteUrlsSent',
  'exchangedBytes',
  'sites',
  'queued',
  'unassigned',
  // Milliseconds: with nothing to do but to leave hosts alone, and of pauses by what made them so long.
  'heldMs',
  'hostDelayMs',
  'ipDelayMs',
  'askedMs',
] as const;
export type CounterName = (typeof COUNTERS)[number];

/** Where an agent's time goes, in milliseconds; counted behind the counters. */
export const ACTIVITIES = [
  'setUp',
  'agentSetUp',
  'coordinatorSetUp',
  'fetch',
  'extract',
  'canonicalise',
  'store',
  'pageUrlDrum',
  'siteUrlSending',
  'sitePartition',
  'pageUrlExchange',
  'checkpoint',
  'rest',
  'asleep',
] as const;
export type Activity = (typeof ACTIVITIES)[number];

const SLOTS = COUNTERS.length + ACTIVITIES.length;
/** Whole 64-byte lines, so that agents do not write to each other's. */
const BLOCK = Math.ceil((SLOTS * 8) / 64) * 64;

export function allocateCounters(agents: number): SharedArrayBuffer {
  return new SharedArrayBuffer(agents * BLOCK);
}

const slotOf = Object.fromEntries([...COUNTERS, ...ACTIVITIES].map((name, i) => [name, i])) as Record<
  CounterName | Activity,
  number
>;

export class AgentCounters {
  readonly #slots: Float64Array;
  #lastLap = performance.now();
  /** Of the time since the last lap, what is booked already. */
  #booked = 0;

  constructor(memory: SharedArrayBuffer, agent: number) {
    this.#slots = new Float64Array(memory, agent * BLOCK, SLOTS);
  }

  add(name: CounterName, amount: number): void {
    const slot = slotOf[name];
    this.#slots[slot] = this.#slots[slot]! + amount;
  }

  set(name: CounterName, value: number): void {
    this.#slots[slotOf[name]] = value;
  }

  get(name: CounterName | Activity): number {
    return this.#slots[slotOf[name]]!;
  }

  /** All figures by name, as a checkpoint keeps them. */
  save(): Record<string, number> {
    return Object.fromEntries(Object.entries(slotOf).map(([name, slot]) => [name, this.#slots[slot]!]));
  }

  restore(figures: Readonly<Record<string, number>>): void {
    for (const [name, slot] of Object.entries(slotOf)) this.#slots[slot] = figures[name] ?? 0;
  }

  /** Books the time since the last lap on an activity, but for what was booked meanwhile. */
  lap(activity: Activity): void {
    const now = performance.now();
    this.#add(activity, Math.max(0, now - this.#lastLap - this.#booked));
    this.#lastLap = now;
    this.#booked = 0;
  }

  /** Books some of the time since the last lap on an activity that lies within another. */
  book(activity: Activity, ms: number): void {
    this.#add(activity, ms);
    this.#booked += ms;
  }

  #add(activity: Activity, ms: number): void {
    const slot = slotOf[activity];
    this.#slots[slot] = this.#slots[slot]! + ms;
  }
}

/** A power of two: one in so many steps is timed. */
const SAMPLED = 8;

/** Times steps that are too short and too many to time each: a sample stands for the others. */
export class SampledTime {
  readonly #counters: AgentCounters;
  readonly #activity: Activity;
  #steps = 0;

  constructor(counters: AgentCounters, activity: Activity) {
    this.#counters = counters;
    this.#activity = activity;
  }

  /** To be handed to `end` after the step. */
  begin(): number {
    return (++this.#steps & (SAMPLED - 1)) === 0 ? performance.now() : 0;
  }

  end(begun: number): void {
    if (begun > 0) this.#counters.book(this.#activity, SAMPLED * (performance.now() - begun));
  }
}

/** One counter over all agents. */
export function total(agents: readonly AgentCounters[], name: CounterName | Activity): number {
  let sum = 0;
  for (const agent of agents) sum += agent.get(name);
  return sum;
}
