/** Brings index.cdxj up to the last checkpoint, or to the end of the crawl: the work of a thread beside the agents'. */

import { CheckpointFiles } from '../checkpoint/checkpoint-files.js';
import { Generations } from '../checkpoint/generations.js';
import { CrawlDirectory } from '../model/crawl-directory.js';
import type { Disk } from '../model/disk.js';
import { loadJson } from '../model/json-file.js';
import { fields, orNull, type Shape } from '../model/shape.js';
import { completeIndex, type IndexedPart, updateIndex } from '../store/merged-index.js';
import { STORE_STATE, type StoreState } from '../store/page-store.js';
import type { IndexTask } from './archive-tasks.js';

/** What an agent's state has to say of what it stored. */
interface StoredState {
  readonly books: { readonly store: StoreState | null };
}

const STORED_STATE: Shape<StoredState> = fields({
  books: fields<StoredState['books']>({ store: orNull(STORE_STATE) }),
});

export function indexPages(task: IndexTask, disk: Disk): void {
  const directory = new CrawlDirectory(task.directory);
  const files = { index: directory.index, merged: directory.mergedIndex };
  const parts = task.isWhole ? null : checkpointedParts(disk, directory, task.threads);
  if (parts !== null) updateIndex(disk, files, parts, task.memory);
  else completeIndex(disk, files, directory.indexParts(disk.list(directory.path)), task.memory);
}

/**
 * What the last checkpoint has of the parts: whoever resumes the crawl finds it as it is, and all that it refers to.
 * Null if there is no checkpoint.
 */
function checkpointedParts(disk: Disk, directory: CrawlDirectory, threads: number): IndexedPart[] | null {
  const generations = new Generations(disk, directory);
  for (;;) {
    const generation = generations.current();
    if (generation === 0) return null;
    const files = new CheckpointFiles(directory, generation);
    try {
      return Array.from({ length: threads }, (_, agent) => {
        const { books } = loadJson(disk, files.agent(agent), STORED_STATE);
        return { path: directory.indexPart(agent), end: books.store?.index ?? 0 };
      });
    } catch (error) {
      // The next checkpoint may have taken its place meanwhile.
      if (generations.current() === generation) throw error;
    }
  }
}
