/** The store that an agent's options ask for. */
import type { CrawlDirectory } from '../model/crawl-directory.js';
import type { Disk } from '../model/disk.js';
import { version } from '../model/version.js';
import type { Fetcher } from '../model/web.js';
import type { PageStore, StoreState } from '../store/page-store.js';
import type { AgentTask } from './crawl-task.js';

const WARC_1_1 = 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/';

/** Null if nothing is to be stored; the store's code is loaded only if something is. With a state and a manifest of the digests, the store goes on from there. */
export async function openStore(
  { agent, options, plan }: AgentTask,
  disk: Disk,
  directory: CrawlDirectory,
  fetcher: Fetcher,
  saved: { readonly state: StoreState; readonly digests: string } | null,
): Promise<PageStore | null> {
  if (options.store === 'none') return null;
  const { WarcStore } = await import('../store/warc-store.js');
  const { DigestDrum } = await import('./digest-drum.js');
  const software = `${options['user-agent']}/${version()}`;
  return new WarcStore({
    disk,
    directory: directory.warc,
    indexPart: directory.indexPart(agent),
    agent,
    started: Date.now(),
    maxBytes: options['warc-size'],
    level: options['warc-level'],
    digests: new DigestDrum(disk, directory.digestDrum(agent), plan.agent.digestDrum, saved?.digests),
    info: {
      software: `drumline/${version()}`,
      format: 'WARC File Format 1.1',
      conformsTo: WARC_1_1,
      ...(options.contact === '' ? {} : { operator: options.contact }),
      'http-header-user-agent': fetcher.requestHeaders?.[1] ?? software,
      robots: 'obey',
    },
    requestHeaders: fetcher.requestHeaders ?? ['user-agent', software],
    state: saved?.state,
  });
}
