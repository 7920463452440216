/** Puts an agent together from its task and runs it to its end. */

import { CheckpointPoster } from '../boards/checkpoint-board.js';
import { CheckpointFiles } from '../checkpoint/checkpoint-files.js';
import { Journal } from '../checkpoint/journal.js';
import { SampledTime } from '../model/counters.js';
import { SITE_URL } from '../model/record.js';
import type { World } from '../model/world.js';
import { type OwnerVisitor, SitePartition } from '../partition/site-partition.js';
import { MeshEnd } from '../ring/mesh.js';
import { LeftOutLoggers } from '../route/left-out.js';
import { FOLLOW, LINK_MODES } from '../route/link-mode.js';
import { SiteReporter } from '../route/site-reporter.js';
import type { LeftOutVisitor } from '../shard/page-url-checker.js';
import { SpillQueue } from '../spill/spill-queue.js';
import { AddressAsker } from '../visit/address-asker.js';
import type { InterSiteRule } from '../visit/found-urls.js';
import { Agent } from './agent.js';
import { AgentCheckpoint } from './agent-checkpoint.js';
import { AgentFiles } from './agent-files.js';
import { type Assembly, assemble, resultOf } from './assemble.js';
import type { AgentResult, AgentTask } from './crawl-task.js';
import { openCrawler } from './open-crawler.js';
import { keepEarlierPauses } from './open-politeness.js';
import { runAndClose } from './run-and-close.js';

export async function runAgent(task: AgentTask, threadWorld: World): Promise<AgentResult> {
  const assembly = await assemble(task, threadWorld);
  const { activity, counters, world } = assembly;
  counters.lap('setUp');
  const mesh = openMesh(assembly);
  counters.lap('agentSetUp');
  const { agent, checkpoint } = openAgent(assembly, mesh);
  // While the loop sleeps, it is here that the thread shows that its events do not keep it.
  const endSigns = world.every(task.signInterval, () => activity.alive());
  counters.lap('coordinatorSetUp');
  try {
    await runAndClose(agent, mesh.bell, world);
  } finally {
    endSigns();
  }
  return resultOf(assembly, checkpoint);
}

function openAgent(assembly: Assembly, mesh: MeshEnd): { agent: Agent; checkpoint: AgentCheckpoint } {
  const { activity, books, counters, directory, saved, stop, task, visited, world } = assembly;
  const { agent: self, plan, shared } = task;
  const { disk } = world;
  const coordinator = shared.mesh.threads - 1;
  const reporter = openReporter(assembly, mesh, coordinator);
  // Partition and crawler hand on to the agent, which holds both: it is there before either has something.
  const partition = openPartition(assembly, (owner, bytes, start, end) =>
    agent.onOwner(owner, bytes, start, end),
  );
  counters.lap('coordinatorSetUp');
  const crawler = openCrawler(assembly, {
    onUnique: (bytes, start, end) => agent.onUnique(bytes, start, end),
    onLeftOut: leftOutVisitor(assembly, mesh),
    interSite: interSiteRule(assembly, partition, reporter),
    wake: () => mesh.bell.ringOwn(),
    asker: new AddressAsker(self, (bytes, start, end) => mesh.send(coordinator, bytes, start, end)),
  });
  counters.lap('setUp');
  const unassigned = new SpillQueue(disk, directory.unassigned(self), plan.agent.unassigned);
  const inbox = new SpillQueue(disk, directory.inbox(self), plan.agent.inbox);
  const checkpoint = new AgentCheckpoint(disk, {
    ...{ agent: self, books, counters, crawler, inbox, partition, stop, unassigned, visited },
    files: new AgentFiles(disk, directory, self, task.runStart),
  });
  if (saved !== null) checkpoint.restore(saved.files, saved.state);
  else if (task.isRestart) checkpoint.reset();
  keepEarlierPauses(task, world, directory, crawler.frontier);
  const journal = openJournal(assembly, inbox);
  const agent: Agent = new Agent({
    ...{ activity, books, coordinator, counters, crawler, inbox, journal, mesh, partition, reporter, stop },
    ...{ agent: self, unassigned, clock: world.clock, hasBegun: task.start > 0 },
    cut:
      journal === null
        ? null
        : {
            board: new CheckpointPoster(shared.checkpoints, self),
            checkpoint,
            files: (generation) => new CheckpointFiles(directory, generation),
            start: task.start,
          },
  });
  return { agent, checkpoint };
}

function openMesh({ directory, task, world }: Assembly): MeshEnd {
  const { agent, plan, shared } = task;
  return new MeshEnd(shared.mesh, agent, {
    disk: world.disk,
    path: (to) => directory.outbox(agent, to),
    memoryBytes: plan.agent.outboxes,
  });
}

/** Sends sites to the coordinator. */
function openReporter({ counters, hash, task }: Assembly, mesh: MeshEnd, coordinator: number): SiteReporter {
  return new SiteReporter(
    task.plan.agent.recentlyReported,
    SITE_URL,
    (bytes, start, end) => {
      const begun = performance.now();
      mesh.send(coordinator, bytes, start, end);
      counters.add('siteUrlsSent', 1);
      counters.add('exchangedBytes', end - start);
      counters.book('siteUrlSending', performance.now() - begun);
    },
    hash,
  );
}

function openPartition(assembly: Assembly, onOwner: OwnerVisitor): SitePartition {
  const { activity, counters, directory, saved, task, world } = assembly;
  const { agent, plan, shared } = task;
  return new SitePartition({
    table: shared.siteTable,
    disk: world.disk,
    directory: directory.sitePartitionDrum(agent),
    memoryBytes: plan.agent.sitePartitionDrum,
    manifest: saved?.files.sitePartitionDrum(agent),
    onOwner,
    lookups: new SampledTime(counters, 'sitePartition'),
    alive: () => activity.alive(),
  });
}

/** With a log, a URL that is out of scope is counted and logged by one agent; without one, nobody is told of it. */
function leftOutVisitor({ books, counters, task }: Assembly, mesh: MeshEnd): LeftOutVisitor | null {
  const { agent, options, shared } = task;
  if (options.log === 'off') return null;
  const loggers = new LeftOutLoggers(agent, shared.mesh.threads - 1, (to, bytes, start, end) => {
    mesh.send(to, bytes, start, end);
    counters.add('exchangedBytes', end - start);
  });
  return (bytes, start, end, reason) => {
    if (!loggers.tell(bytes, start, end, reason)) books.leftOut(bytes, start, end, reason, '');
  };
}

/** Follows URLs of other sites, or reports the sites that are not known. */
function interSiteRule({ task }: Assembly, partition: SitePartition, reporter: SiteReporter): InterSiteRule {
  if (LINK_MODES[task.options.links].interSite === FOLLOW) return () => true;
  return (urls, i, depth) => {
    const low = urls.siteKeys[2 * i]!;
    const high = urls.siteKeys[2 * i + 1]!;
    if (!partition.isKnown(low, high))
      reporter.report(low, high, urls.bytes, urls.start(i), urls.ends[i]!, depth);
    return false;
  };
}

/** Null if no checkpoints are made. What reached an agent before it died is in its inbox again. */
function openJournal({ directory, task, world }: Assembly, inbox: SpillQueue): Journal | null {
  if (!Number.isFinite(task.options['checkpoint-interval'])) return null;
  const path = directory.journal(task.agent);
  if (!task.isRestart) return Journal.begin(world.disk, path, task.start);
  return Journal.recover(world.disk, path, task.start, (bytes, start, end) => inbox.push(bytes, start, end));
}
