/** Puts an agent together from its task and runs it to its end. */

import { CheckpointPoster } from '../boards/checkpoint-board.js';
import { CheckpointFiles } from '../checkpoint/checkpoint-files.js';
import { Journal } from '../checkpoint/journal.js';
import { SampledTime } from '../model/counters.js';
import { SITE_URL } from '../model/record.js';
import type { World } from '../model/world.js';
import { SitePartition } from '../partition/site-partition.js';
import { MeshEnd } from '../ring/mesh.js';
import { FOLLOW, LINK_MODES } from '../route/link-mode.js';
import { SiteReporter } from '../route/site-reporter.js';
import { SpillQueue } from '../spill/spill-queue.js';
import { AddressAsker } from '../visit/address-asker.js';
import { Agent } from './agent.js';
import { AgentCheckpoint } from './agent-checkpoint.js';
import { AgentFiles } from './agent-files.js';
import { assemble } from './assemble.js';
import type { AgentResult, AgentTask } from './crawl-task.js';
import { keepEarlierPauses } from './open-politeness.js';
import { runAndClose } from './run-and-close.js';

export async function runAgent(task: AgentTask, world: World): Promise<AgentResult> {
  const { agent: self, plan, shared } = task;
  const { disk, directory, counters, stop, visited, books, store, saved, activity, hash, crawler } =
    await assemble(task, world);
  const coordinator = shared.mesh.threads - 1;
  counters.lap('setUp');
  const mesh = new MeshEnd(shared.mesh, self, {
    disk,
    path: (to) => directory.outbox(self, to),
    memoryBytes: plan.agent.outboxes,
  });
  counters.lap('agentSetUp');
  const reporter = new SiteReporter(
    plan.agent.recentlyReported,
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
  const partition = new SitePartition(
    shared.siteTable,
    disk,
    directory.sitePartitionDrum(self),
    plan.agent.sitePartitionDrum,
    saved?.files.sitePartitionDrum(self),
    (owner, bytes, start, end) => agent.onOwner(owner, bytes, start, end),
    new SampledTime(counters, 'sitePartition'),
    () => activity.alive(),
  );
  counters.lap('coordinatorSetUp');
  const mode = LINK_MODES[task.options.links];
  const pages = crawler(
    (bytes, start, end) => agent.onUnique(bytes, start, end),
    (urls, i, depth) => {
      if (mode.interSite === FOLLOW) return true;
      const low = urls.siteKeys[2 * i]!;
      const high = urls.siteKeys[2 * i + 1]!;
      if (!partition.isKnown(low, high))
        reporter.report(low, high, urls.bytes, urls.start(i), urls.ends[i]!, depth);
      return false;
    },
    () => mesh.bell.ringOwn(),
    new AddressAsker(self, (bytes, start, end) => mesh.send(coordinator, bytes, start, end)),
  );
  counters.lap('setUp');
  const unassigned = new SpillQueue(disk, directory.unassigned(self), plan.agent.unassigned);
  const inbox = new SpillQueue(disk, directory.inbox(self), plan.agent.inbox);
  const checkpoint = new AgentCheckpoint(disk, {
    agent: self,
    crawler: pages,
    books,
    counters,
    stop,
    visited,
    files: new AgentFiles(disk, directory, self, task.runStart),
    partition,
    unassigned,
    inbox,
  });
  if (saved !== null) checkpoint.restore(saved.files, saved.state);
  else if (task.isRestart) checkpoint.reset();
  keepEarlierPauses(task, world, directory, pages.frontier);
  const isSaved = Number.isFinite(task.options['checkpoint-interval']);
  const journal = !isSaved
    ? null
    : task.isRestart
      ? Journal.recover(disk, directory.journal(self), task.start, (bytes, start, end) =>
          inbox.push(bytes, start, end),
        )
      : Journal.begin(disk, directory.journal(self), task.start);
  const agent: Agent = new Agent({
    agent: self,
    coordinator,
    crawler: pages,
    partition,
    unassigned,
    inbox,
    journal,
    cut: isSaved
      ? {
          board: new CheckpointPoster(shared.checkpoints, self),
          checkpoint,
          files: (generation) => new CheckpointFiles(directory, generation),
          start: task.start,
        }
      : null,
    hasBegun: task.start > 0,
    clock: world.clock,
    reporter,
    mesh,
    activity,
    stop,
    books,
    counters,
  });
  // While the loop sleeps, it is here that the thread shows that its events do not keep it.
  const endSigns = world.every(task.signInterval, () => activity.alive());
  counters.lap('coordinatorSetUp');
  try {
    await runAndClose(agent, mesh.bell, world);
  } finally {
    endSigns();
  }
  return {
    agent: self,
    failure: '',
    answers: books.answers,
    errors: books.errors,
    firsts: books.firsts,
    pageUrlDrum: checkpoint.pageUrlStatistics,
    sitePartitionDrum: checkpoint.sitePartitionStatistics,
    store: store?.counts ?? null,
  };
}
