/**
 * Runs the agents' tasks in the pool of threads, and starts an agent again that died, on its own data, from the last
 * checkpoint and the journal of what reached it since. The others go on meanwhile: what they send waits in the rings.
 *
 * What the agent sent since the checkpoint it finds and sends again, and its receivers know it already.
 */
import type { AgentResult, AgentTask } from '../agent/crawl-task.js';
import type { ActivityBoard } from '../boards/activity-board.js';
import type { CheckpointBoard } from '../boards/checkpoint-board.js';
import { isLasting, oneLine } from '../model/errors.js';
import type { Threads } from '../model/world.js';
import type { AgentDeaths } from './agent-deaths.js';

export interface AgentSupervisorParts {
  readonly pool: Pick<Threads, 'run'>;
  readonly activity: ActivityBoard;
  readonly checkpoints: CheckpointBoard;
  /** Wakes all threads that crawl. */
  readonly wake: () => void;
  readonly deaths: AgentDeaths;
  /** Is there something to start an agent again from, and something left to do for it? */
  readonly canRestart: () => boolean;
  /** The agent died, and goes back to the checkpoint `generation`, 0 for its beginning, if it goes on at all. */
  readonly setBack: (agent: number, generation: number) => void;
  /** Milliseconds without a sign of life of an agent that does not wait for anything. */
  readonly hangTimeout: number;
  /** The crawl can't go on, but may be saved. */
  readonly onTooManyDeaths: (reason: string) => void;
  /** The crawl can't go on. */
  readonly onFailure: (thread: string, error: unknown) => void;
}

/** In that time; an agent that has nothing to do gives a sign as often. */
export const LOOKS = 10;

export class AgentSupervisor {
  readonly #parts: AgentSupervisorParts;
  /** Of each agent that lives: how to end it, and its turns when it was started. */
  readonly #lives = new Map<number, { readonly end: AbortController; readonly born: number }>();
  /** Agents that were started again only to be saved: of several that die at once, each is. */
  readonly #lastLives = new Set<number>();
  /** Of each agent: its signs of life as last seen, and how many looks found the same since. */
  readonly #seen = new Map<number, { signs: number; looks: number }>();

  constructor(parts: AgentSupervisorParts) {
    this.#parts = parts;
  }

  /** An agent's result, after as many lives as it takes; null if the crawl failed of it. */
  async run(first: AgentTask): Promise<AgentResult | null> {
    let task = first;
    for (;;) {
      const kill = new AbortController();
      this.#lives.set(task.agent, { end: kill, born: this.#parts.activity.turnsOf(task.agent) });
      try {
        const result: AgentResult = await this.#parts.pool.run(task, { signal: kill.signal });
        if (result.failure === '') return result;
        this.#parts.onFailure(`agent ${task.agent}`, new Error(result.failure));
        return null;
      } catch (error) {
        const reason = kill.signal.aborted ? kill.signal.reason : error;
        const start = this.#parts.checkpoints.confirmed;
        if (!this.#mayLiveAgain(task.agent, reason) || !this.#setBack(task.agent, start)) return null;
        task = { ...task, start, isRestart: true, quarantined: this.#parts.deaths.quarantined };
      } finally {
        this.#lives.delete(task.agent);
      }
    }
  }

  /**
   * Ends an agent's thread at once, wherever it is; it is started again. But not before its first turn: Node 20 aborts
   * the process when a thread is ended that still loads its modules. False if there was nothing to end.
   */
  kill(agent: number, reason: Error): boolean {
    const { activity } = this.#parts;
    const life = this.#lives.get(agent);
    if (life === undefined || life.born === activity.turnsOf(agent)) return false;
    // Before it could be taken for one that has nothing to do.
    activity.clearIdle(agent);
    life.end.abort(reason);
    return true;
  }

  #mayLiveAgain(agent: number, reason: unknown): boolean {
    const { activity, canRestart, checkpoints, deaths, onFailure, onTooManyDeaths, wake } = this.#parts;
    const hand = activity.handOf(agent);
    activity.clear(agent);
    // Its part of the checkpoint that is being made goes with it: it will be written again.
    checkpoints.forgetSaved(agent);
    this.#seen.delete(agent);
    // It may have died between giving something to others, or room for it, and ringing for them.
    wake();
    const areTooMany = !deaths.add(hand, reason instanceof DeliberateKill);
    if (isLasting(reason) || !canRestart() || (areTooMany && this.#lastLives.has(agent))) {
      onFailure(`agent ${agent}`, reason);
      return false;
    }
    if (!areTooMany) return true;
    this.#lastLives.add(agent);
    onTooManyDeaths(`agent ${agent} died: ${oneLine(reason)}; too many died within a minute`);
    return true;
  }

  #setBack(agent: number, start: number): boolean {
    try {
      this.#parts.setBack(agent, start);
      return true;
    } catch (error) {
      this.#parts.onFailure(`agent ${agent}`, error);
      return false;
    }
  }

  /** Looks for agents that hang. To be called LOOKS times in the time after which one counts as dead. */
  look(): void {
    const { activity, hangTimeout } = this.#parts;
    for (const agent of this.#lives.keys()) {
      const signs = activity.signsOf(agent);
      const last = this.#seen.get(agent);
      if (last?.signs !== signs || activity.isWaiting(agent)) this.#seen.set(agent, { signs, looks: 0 });
      else if (++last.looks >= LOOKS)
        this.kill(agent, new Error(`no sign of life for ${Math.round(hangTimeout / 1000)} s`));
    }
  }
}

/** For tests: counts as no sign of trouble. */
export class DeliberateKill extends Error {}
