import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ActivityBoard, ActivityPoster, allocateActivityBoard } from '#drumline/boards/activity-board.js';
import { allocateStopMemory, StopConditions } from '#drumline/boards/stop-conditions.js';
import { Coordinator } from '#drumline/coordinator/coordinator.js';
import { NameQuestions, type SiteNames } from '#drumline/coordinator/name-questions.js';
import { NameRetries } from '#drumline/coordinator/name-retries.js';
import { nodeDisk } from '#drumline/model/disk.js';
import { ASSIGNMENTS } from '#drumline/partition/assignment.js';
import { allocateSiteTable, SiteTableWriter } from '#drumline/partition/site-table.js';
import { allocateMesh, MeshEnd, type MeshMemory } from '#drumline/ring/mesh.js';
import { SpillQueue } from '#drumline/spill/spill-queue.js';
import { drive } from '#drumline/workers/drive.js';

const NONE = Number.POSITIVE_INFINITY;

/** An agent that becomes idle between a look at the board and the sleep that follows, unheard. */
class LateAgent extends ActivityBoard {
  readonly #memory: SharedArrayBuffer;
  #looks = 0;

  constructor(memory: SharedArrayBuffer, rings: MeshMemory) {
    super(memory, 1, rings);
    this.#memory = memory;
  }

  override isExhausted(): boolean {
    const seen = super.isExhausted();
    if (++this.#looks === 1) new ActivityPoster(this.#memory, 0).postIdle();
    return seen;
  }
}

test('an agent that becomes idle just before the coordinator sleeps is not overlooked', {
  timeout: 20_000,
}, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'drumline-coordinator-'));
  const rings = allocateMesh(2, 4096);
  const mesh = new MeshEnd(rings, 1, {
    disk: nodeDisk,
    path: (to) => join(directory, `${to}.queue`),
    memoryBytes: 8192,
  });
  const stop = new StopConditions(allocateStopMemory(1), { 'target-pages': NONE, 'max-bytes': NONE });
  const names: SiteNames = {
    ...{ canTake: true, canTakeNew: true, forget: () => {}, close: () => {} },
    resolve: (_host, done) => done('', ''),
    probe: (_host, done) => done(true),
  };
  const coordinator = new Coordinator({
    disk: nodeDisk,
    agents: 1,
    mesh,
    siteTable: new SiteTableWriter(allocateSiteTable(1 << 16)),
    siteUrlDrum: { directory: join(directory, 'drum'), memoryBytes: 1 << 20 },
    questions: new NameQuestions({
      ...{ names, retries: 0, clock: () => 0, say: () => {}, wake: () => {} },
      siteUrlList: new SpillQueue(nodeDisk, join(directory, 'sites.queue'), 8192),
      addressList: new SpillQueue(nodeDisk, join(directory, 'addresses.queue'), 8192),
      waiting: new NameRetries(nodeDisk, {
        ...{ retries: 0, retryDelay: 0, clock: () => 0, memoryBytes: 8192 },
        path: (queue) => join(directory, `retries-${queue}.queue`),
      }),
    }),
    assignment: ASSIGNMENTS['round-robin']!(1),
    activity: new LateAgent(allocateActivityBoard(1), rings),
    stop,
    seeds: { next: () => null, position: 0 },
    inbox: new SpillQueue(nodeDisk, join(directory, 'inbox.queue'), 8192),
    checkpoints: null,
    saveMore: () => {},
    onRefused: () => {},
  });
  try {
    await drive(coordinator, mesh.bell);
    assert.equal(stop.outcome, 'exhausted');
  } finally {
    coordinator.close();
    rmSync(directory, { recursive: true, force: true });
  }
});
