import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentResult, AgentTask } from '#drumline/agent/crawl-task.js';
import { ActivityBoard, ActivityPoster, allocateActivityBoard } from '#drumline/boards/activity-board.js';
import { allocateCheckpointBoard, CheckpointBoard } from '#drumline/boards/checkpoint-board.js';
import { assert as must } from '#drumline/model/assert.js';
import { allocateMesh } from '#drumline/ring/mesh.js';
import { AgentDeaths } from '#drumline/workers/agent-deaths.js';
import { AgentSupervisor, LOOKS } from '#drumline/workers/agent-supervisor.js';

const HANG = 1000;
const DONE: AgentResult = {
  agent: 0,
  failure: '',
  answers: {},
  errors: {},
  firsts: {},
  pageUrlDrum: null,
  sitePartitionDrum: null,
  store: null,
};

/** One agent, whose thread does what the test says. */
function setUp() {
  const memory = allocateActivityBoard(1);
  const activity = new ActivityBoard(memory, 1, allocateMesh(2, 4096));
  const lives: { task: AgentTask; end: (result: AgentResult) => void; die: (error: unknown) => void }[] = [];
  const events: string[] = [];
  const checkpoints = new CheckpointBoard(allocateCheckpointBoard(1), 1);
  checkpoints.begin(3);
  const supervisor = new AgentSupervisor({
    pool: {
      run: (task: AgentTask, { signal }: { signal: AbortSignal }) =>
        new Promise((end, die) => {
          lives.push({ task, end, die });
          signal.addEventListener('abort', () => die(signal.reason));
        }),
    } as never,
    activity,
    checkpoints,
    wake: () => events.push('wake'),
    deaths: new AgentDeaths(() => 0),
    canRestart: () => true,
    setBack: (agent, generation) => events.push(`agent ${agent} set back to ${generation}`),
    hangTimeout: HANG,
    onTooManyDeaths: () => events.push('too many'),
    onFailure: (thread, error) => events.push(`${thread}: ${error}`),
  });
  const result = supervisor.run({ agent: 0 } as AgentTask);
  const poster = new ActivityPoster(memory, 0);
  /** Lets so many times the time pass after which an agent counts as dead, with `step` before each look. */
  const pass = async (times: number, step: () => void = () => {}): Promise<void> => {
    for (let look = 0; look < times * LOOKS; look++) {
      step();
      supervisor.look();
      await Promise.resolve();
    }
    await new Promise(setImmediate);
  };
  return { events, lives, pass, poster, result };
}

test('who gives a sign of life is none who hangs, and who gives none is', async () => {
  const { events, lives, pass, poster, result } = setUp();
  poster.postBusy();
  await pass(3, () => poster.alive());
  await pass(3, () => poster.postBusy());
  assert.equal(lives.length, 1);
  await pass(1.2);
  assert.equal(lives.length, 2);
  assert.deepEqual(events, ['wake', 'agent 0 set back to 3']);
  assert.deepEqual([lives[1]!.task.isRestart, lives[1]!.task.start], [true, 3]);
  lives[1]!.end(DONE);
  assert.equal(await result, DONE);
});

test('an agent that waits is let wait, and judged when it does not wait any more', async () => {
  const { lives, pass, poster } = setUp();
  poster.postBusy();
  poster.beginWait();
  await pass(5);
  assert.equal(lives.length, 1);
  poster.endWait();
  await pass(0.8);
  assert.equal(lives.length, 1);
  await pass(0.4);
  assert.equal(lives.length, 2);
});

test('an agent that did not begin its first turn is not ended', async () => {
  const { lives, pass, poster } = setUp();
  poster.alive();
  await pass(5);
  assert.equal(lives.length, 1);
});

test('a thread that died rings for whoever it left unrung', async () => {
  const { events, lives } = setUp();
  lives[0]!.die(new Error('out of memory'));
  await new Promise(setImmediate);
  assert.deepEqual(events, ['wake', 'agent 0 set back to 3']);
});

test('an agent that comes upon a defect is not started again: the crawl ends with its reason', async () => {
  const { events, lives, result } = setUp();
  try {
    must(false, 'two is more than one');
  } catch (defect) {
    lives[0]!.die(defect);
  }
  assert.equal(await result, null);
  assert.equal(lives.length, 1);
  assert.match(events.join(), /^wake,agent 0: .*does not hold that two is more than one$/);
});
