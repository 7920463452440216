/** `drumline resume`: goes on with a crawl from its last checkpoint, after a stop, a crash or kill -9. */

import { rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { OUTCOMES } from '../boards/stop-conditions.js';
import { CheckpointFiles } from '../checkpoint/checkpoint-files.js';
import { CrawlLock } from '../checkpoint/crawl-lock.js';
import { Generations } from '../checkpoint/generations.js';
import { readManifest } from '../checkpoint/manifest.js';
import { checkNeeded } from '../checkpoint/needed-file.js';
import { CrawlDirectory } from '../model/crawl-directory.js';
import { nodeDisk } from '../model/disk.js';
import { DamagedFileError, DrumlineError, oneLine, UsageError } from '../model/errors.js';
import { readJson } from '../model/json-file.js';
import { planMemory } from '../model/memory-plan.js';
import { fields, oneOf } from '../model/shape.js';
import { complain, print } from '../model/terminal.js';
import type { CrawlOptions } from '../options/options.js';
import { readCrawlOptions } from '../options/read-options.js';
import type { Report } from '../run/report.js';
import { SeedFileWriter } from '../seeds/seed-file.js';
import { completeIndex, isIndexWhole } from '../store/merged-index.js';
import { openCoordinatorWeb } from '../web/open-web.js';
import { acceptSeeds } from './accept-seeds.js';
import type { GivenOptions } from './arguments.js';
import type { Command } from './command.js';
import { askForContact, checkPace, withContact } from './contact.js';
import { advised } from './damage-advice.js';
import { endCrawl, wasJoined } from './end-crawl.js';
import { joinOptions, lastingOptions, RESUME_OPTIONS, refuseForFinished } from './resume-options.js';
import { loadOptions, saveOptions } from './saved-options.js';
import { settleParts } from './settle-parts.js';
import { INTERRUPTED, StopSignals } from './stop-signals.js';

/** Read of the files of a checkpoint before the crawl goes on: a few seconds' worth. */
const MOST_READ = 2 ** 30;

export const RESUME: Command = {
  name: 'resume',
  forms: [['resume CRAWL_DIR', 'go on after a stop, a crash or kill -9']],
  about:
    'Goes on from the last checkpoint with the options that the crawl was started with. What was fetched after it is fetched again and counted once. Stop conditions of before do not hold any more. The options below may be given anew: seeds, --include and --exclude are added to those of the crawl, later rules win; others replace what the crawl had. Scope and politeness last, also for the next resume. A wider scope holds for what is found from then on, a narrower one also for what waits.',
  crawlOptions: RESUME_OPTIONS,
  ownOptions: {},
  examples: [
    ['resume crawl-2026-01-31T08-00-00', 'goes on until nothing is left'],
    ['resume crawl-2026-01-31T08-00-00 --max-duration 8h', 'goes on for the night'],
    [
      "resume crawl-2026-01-31T08-00-00 --exclude 'http*://www.example.org/*' --host-delay 5s",
      'leaves a site alone from now on, and is slower with the others',
    ],
    ['resume crawl-2026-01-31T08-00-00 --seed https://example.net/', 'with one more site'],
  ],
  run: resumeCommand,
};

async function resumeCommand(words: readonly string[], given: GivenOptions): Promise<number> {
  const [path] = words;
  if (path === undefined || words.length > 1)
    throw new UsageError('drumline resume takes one crawl directory');
  const directory = new CrawlDirectory(resolve(path));
  if (![directory.options, directory.current].some(nodeDisk.exists))
    throw new UsageError(
      `drumline resume takes a crawl directory, got '${directory.path}', which holds no crawl`,
    );
  let lock: CrawlLock | null = null;
  // Until the crawl runs there is nothing to save.
  const signals = new StopSignals(() => {
    lock?.release();
    process.exit(INTERRUPTED);
  });
  try {
    lock = CrawlLock.take(directory.lock);
    return await resume(directory, given, signals);
  } catch (error) {
    throw advised(error);
  } finally {
    signals.close();
    lock?.release();
  }
}

async function resume(directory: CrawlDirectory, given: GivenOptions, signals: StopSignals): Promise<number> {
  const generations = new Generations(nodeDisk, directory);
  const start = wasJoined(nodeDisk, directory) ? 0 : generations.current();
  const needed = start === 0 ? [] : readManifest(nodeDisk, new CheckpointFiles(directory, start));
  checkNeeded(nodeDisk, directory.path, needed, MOST_READ);
  const saved = loadOptions(directory);
  const together = withContact(joinOptions(saved, given), process.env);
  const options = readCrawlOptions(together);
  checkPace(options);
  if (start === 0) {
    const outcome = outcomeOf(directory);
    if (outcome !== null && outcome !== 'failed') {
      refuseForFinished(directory.path, given);
      return finish(directory, outcome, options);
    }
    checkBeginning(directory, saved);
    complain('no checkpoint was made to go on from: the crawl begins again');
  }
  const web = openCoordinatorWeb(options.web);
  const { runCrawl } = await import('./run-crawl.js');
  await addSeeds(directory, readCrawlOptions(given));
  saveOptions(directory, lastingOptions(saved, given), options);
  askForContact(options, directory);
  if (start === 0) {
    setAside(directory);
    empty(directory);
  }
  // An index that was made whole may hold what is cut off now.
  if (!nodeDisk.exists(directory.mergedIndex)) rmSync(directory.index, { recursive: true, force: true });
  generations.removeOthers(start);
  const earlierParts = settleParts(nodeDisk, directory, start, needed);
  return await runCrawl(options, web, directory, signals, start, earlierParts);
}

/** Behind those that the crawl has: it reads on where it was. One that was cut off by a crash is no part of the file. */
async function addSeeds(directory: CrawlDirectory, { seed, seeds }: CrawlOptions): Promise<void> {
  const writer = SeedFileWriter.append(directory.seeds);
  await acceptSeeds(writer, seeds, seed);
  writer.close();
}

const ENDED = fields<Pick<Report, 'outcome'>>({ outcome: oneOf(...OUTCOMES.filter((each) => each !== '')) });

/** How a crawl ended; null if it did not, or had no room to say so. */
function outcomeOf({ report }: CrawlDirectory): Report['outcome'] | null {
  try {
    return nodeDisk.exists(report) ? readJson(nodeDisk, report, ENDED).outcome : null;
  } catch (error) {
    if (error instanceof DamagedFileError) return null;
    throw error;
  }
}

/**
 * What was stored is given up by a crawl that begins again: what came since its start, if it was cut short before its first
 * checkpoint. Where there is more, or it is not known how that came there, nothing is removed.
 */
function checkBeginning({ path, warc, work }: CrawlDirectory, saved: GivenOptions): void {
  const stored = nodeDisk.list(warc).length;
  const isShort = Number.isFinite(readCrawlOptions(saved)['checkpoint-interval']);
  if (stored === 0 || (isShort && nodeDisk.exists(work))) return;
  throw new DrumlineError(
    'NO_CHECKPOINT',
    `${path}: there is no checkpoint to go on from, and ${stored} files of stored pages; to begin again, take ${warc} away`,
  );
}

/**
 * Not the directory itself: it says that there is a crawl under way. What hosts were granted holds.
 */
function empty({ pauses, work }: CrawlDirectory): void {
  for (const name of nodeDisk.list(work)) {
    const path = join(work, name);
    if (path !== pauses) nodeDisk.remove(path);
  }
}

/** What was stored is kept, but is none of the crawl that begins again. */
function setAside(directory: CrawlDirectory): void {
  const { index, path, warc } = directory;
  const stored = nodeDisk.list(warc).length;
  if (stored === 0) return;
  let which = 1;
  while (nodeDisk.exists(directory.setAside(which))) which++;
  const aside = directory.setAside(which);
  nodeDisk.rename(warc, aside);
  if (nodeDisk.exists(index)) nodeDisk.rename(index, join(aside, basename(index)));
  nodeDisk.syncDirectory(path);
  complain(`${stored} files of stored pages were set aside: ${aside}`);
}

/** Brings a crawl that is over to its end: that may have been cut short. Returns the exit code. */
function finish(directory: CrawlDirectory, outcome: Report['outcome'], options: CrawlOptions): number {
  const indexFailure = makeIndex(directory, options);
  const missing = endCrawl(nodeDisk, directory, { isOver: true, indexFailure });
  for (const line of missing) complain(line);
  const isExhausted = outcome === 'exhausted';
  print(
    `${directory.path}: ${isExhausted ? 'nothing is left to crawl' : 'it was stopped, and made no checkpoint to go on from'}`,
  );
  return isExhausted && missing.length === 0 ? 0 : 1;
}

/** Of what was stored. Returns why it can't be made, or ''. */
function makeIndex(directory: CrawlDirectory, { agents, memory }: CrawlOptions): string {
  const { index, mergedIndex: merged, path } = directory;
  const parts = directory.indexParts(nodeDisk.list(path));
  if (parts.length === 0 || isIndexWhole(nodeDisk, index, parts)) return '';
  try {
    completeIndex(nodeDisk, { index, merged }, parts, planMemory(memory, agents).indexLines);
    return '';
  } catch (error) {
    return oneLine(error);
  }
}
