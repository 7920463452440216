/** The store that an agent's options ask for. */

import { sharesDigests } from '../boards/digest-board.js';
import { StoreBoard } from '../boards/store-board.js';
import { CheckpointFiles } from '../checkpoint/checkpoint-files.js';
import type { CrawlDirectory } from '../model/crawl-directory.js';
import type { Disk } from '../model/disk.js';
import type { LifeSigns } from '../model/life-signs.js';
import { version } from '../model/version.js';
import type { Fetcher } from '../model/web.js';
import type { World } from '../model/world.js';
import { userAgent } from '../options/crawler-name.js';
import type { PageStore, StoreState } from '../store/page-store.js';
import { WarcFiles } from '../store/warc-files.js';
import { WarcStore, type WarcStoreOptions } from '../store/warc-store.js';
import type { StoreTask } from './archive-tasks.js';
import { DigestAsker } from './digest-asker.js';
import { DigestDrum } from './digest-drum.js';

const WARC_1_1 = 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/';

/** With a state, the store goes on from there. REQUIRES: something is to be stored. */
export function openStore(
  task: StoreTask,
  { disk, wallClock }: Pick<World, 'disk' | 'wallClock'>,
  directory: CrawlDirectory,
  fetcher: Fetcher,
  saved: StoreState | undefined,
  signs: LifeSigns,
): PageStore {
  const { agent, options, shared } = task;
  const software = userAgent(options['user-agent'], version(), '');
  const isShared = sharesDigests(options);
  const board = new StoreBoard(shared.stored, agent);
  const files = new WarcFiles(directory.warc, agent, wallClock());
  return new WarcStore({
    disk,
    files,
    indexPart: directory.indexPart(agent),
    maxBytes: options['warc-size'],
    level: options['warc-level'],
    digests: isShared ? new DigestAsker(shared.digests, agent, signs) : openDigests(task, disk, directory),
    written: board,
    info: {
      software: `drumline/${version()}`,
      format: 'WARC File Format 1.1',
      conformsTo: WARC_1_1,
      ...(options.contact === '' ? {} : { operator: options.contact }),
      'http-header-user-agent': fetcher.requestHeaders?.[1] ?? software,
      robots: 'obey',
    },
    requestHeaders: fetcher.requestHeaders ?? ['user-agent', software],
    ...(isShared && task.isRestart ? behindPosted(task, board, disk, files, saved) : { state: saved }),
  });
}

/** The digests of all that was stored. REQUIRES: no other thread has them open. */
export function openDigests(
  { plan, start }: Pick<StoreTask, 'plan' | 'start'>,
  disk: Disk,
  directory: CrawlDirectory,
): DigestDrum {
  const manifest = start === 0 ? undefined : new CheckpointFiles(directory, start).digestDrum;
  return new DigestDrum(disk, directory.digestDrum, plan.digestDrum, manifest);
}

/** Where an agent that died goes on: behind what it stored, as others may have referred to that. */
function behindPosted(
  { start }: StoreTask,
  board: StoreBoard,
  disk: Disk,
  files: WarcFiles,
  saved: StoreState | undefined,
): Pick<WarcStoreOptions, 'state' | 'tail'> {
  const { last } = board;
  const file = last && files.nameOf(disk.list(files.directory), files.agent, last.serial);
  if (!file) return { state: saved };
  return {
    state: { file, index: saved?.index ?? 0, ...last },
    tail: { serial: saved?.serial ?? 0, offset: saved?.offset ?? 0, saved: board.savedAfter(start) },
  };
}
