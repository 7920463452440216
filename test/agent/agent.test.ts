import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Agent, type AgentParts } from '#drumline/agent/agent.js';
import { ActivityBoard, ActivityPoster, allocateActivityBoard } from '#drumline/boards/activity-board.js';
import {
  allocateCheckpointBoard,
  CheckpointBoard,
  CheckpointPoster,
} from '#drumline/boards/checkpoint-board.js';
import { allocateStopMemory, StopConditions } from '#drumline/boards/stop-conditions.js';
import { AgentCounters, allocateCounters } from '#drumline/model/counters.js';
import { nodeDisk } from '#drumline/model/disk.js';
import { PAGE_URL, RECORD_HEADER, writeHeader } from '#drumline/model/record.js';
import { allocateMesh, MeshEnd } from '#drumline/ring/mesh.js';
import { drive } from '#drumline/workers/drive.js';

const NONE = Number.POSITIVE_INFINITY;
const nothing = (): void => {};

/** An agent that never has anything to do, beside a coordinator. */
function idleAgent(directory: string, onRecord: () => void) {
  const rings = allocateMesh(2, 4096);
  const endOf = (self: number): MeshEnd =>
    new MeshEnd(rings, self, {
      disk: nodeDisk,
      path: (to) => join(directory, `${self}-${to}`),
      memoryBytes: 8192,
    });
  const activity = allocateActivityBoard(1);
  const checkpoints = allocateCheckpointBoard(1);
  const board = new CheckpointBoard(checkpoints, 1);
  board.begin(1);
  const stop = new StopConditions(allocateStopMemory(1), { 'target-pages': NONE, 'max-bytes': NONE });
  const parts = {
    agent: 0,
    coordinator: 1,
    crawler: {
      checker: { pending: 0, flush: nothing },
      delay: NONE,
      isIdle: true,
      fetchSome: nothing,
      check: nothing,
    },
    partition: { pending: 0, flush: () => false },
    unassigned: { count: 0 },
    inbox: { count: 0, take: () => false, push: onRecord },
    journal: { add: nothing, write: nothing, turn: nothing, confirm: nothing, close: nothing },
    cut: {
      board: new CheckpointPoster(checkpoints, 0),
      checkpoint: { save: nothing, confirm: nothing },
      files: nothing,
      start: 1,
    },
    hasBegun: true,
    clock: () => 0,
    mesh: endOf(0),
    activity: new ActivityPoster(activity, 0),
    stop,
    counters: new AgentCounters(allocateCounters(1), 0),
  };
  return {
    agent: new Agent(parts as unknown as AgentParts),
    bell: parts.mesh.bell,
    board,
    coordinator: endOf(1),
    activity: new ActivityBoard(activity, 1, rings),
    isIdle: () => Atomics.load(new Int32Array(activity), 0) === 1,
    stop,
  };
}

test('an agent that takes a record for a checkpoint does not seem idle meanwhile', {
  timeout: 20_000,
}, async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'drumline-agent-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const seemedIdle: boolean[] = [];
  const { agent, bell, board, coordinator, isIdle, stop } = idleAgent(directory, () => {
    seemedIdle.push(isIdle());
    board.postDrained(2);
  });
  const running = drive(agent, bell);
  let failure: unknown = null;
  running.catch((error: unknown) => {
    failure = error;
  });
  const until = async (isDone: () => boolean): Promise<void> => {
    while (!isDone() && failure === null) await new Promise(setImmediate);
  };
  await until(() => isIdle());
  const record = new Uint8Array(RECORD_HEADER + 4);
  writeHeader(record, 0, PAGE_URL, 1, 1, 1, 1);
  coordinator.send(0, record, 0, record.length);
  board.request(2, false);
  coordinator.deliver();
  await until(() => board.isSaved(2));
  stop.request('exhausted');
  coordinator.wakeAll();
  await running;
  assert.deepEqual(seemedIdle, [false]);
});
