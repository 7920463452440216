/** `drumline crawl`: checks the options, prepares the crawl directory and the seeds, runs, reports. */

import { appendFileSync } from 'node:fs';
import { CrawlLock } from '../checkpoint/crawl-lock.js';
import { agentThreadFile } from '../model/assets.js';
import { oneLine, UsageError } from '../model/errors.js';
import { print } from '../model/terminal.js';
import type { Web } from '../model/web.js';
import { CRAWL_OPTIONS, type CrawlOptions, isCrawlOption } from '../options/options.js';
import { readCrawlOptions } from '../options/read-options.js';
import { readSeed } from '../seeds/read-seeds.js';
import { SeedFileWriter } from '../seeds/seed-file.js';
import { openCoordinatorWeb } from '../web/open-web.js';
import { acceptSeeds } from './accept-seeds.js';
import type { GivenOptions } from './arguments.js';
import { type ClaimedDirectory, claimDirectory } from './claim-directory.js';
import type { Command } from './command.js';
import { printConfig, withConfig } from './config-file.js';
import { askForContact, checkPace, withContact } from './contact.js';
import { saveOptions } from './saved-options.js';
import { siteOptions } from './site-urls.js';
import { INTERRUPTED, StopSignals } from './stop-signals.js';

export const CRAWL: Command = {
  name: 'crawl',
  forms: [
    ['[crawl] URL... [options]', 'crawl the sites of these URLs'],
    ['[crawl] --agents 7 --seeds FILE [options]', 'crawl from the URLs in a file'],
  ],
  about:
    'Crawls the live Web, or an emulated one with --web, until nothing is left or a stop condition is met. The first SIGINT, SIGTERM or SIGHUP stops cleanly, the second at once; drumline resume goes on after both. URLs on the command line are seeds, and the crawl stays on their hosts; with --same-domain also on what is below them. With --seeds or --seed alone it goes wherever links lead. The word crawl may be left out.',
  crawlOptions: Object.keys(CRAWL_OPTIONS).filter(isCrawlOption),
  ownOptions: {
    config: {
      takes: 'FILE',
      help: "options as JSON, by their names without dashes; those of the command line replace the file's",
      shown: '',
    },
    'print-config': { takes: '', help: 'print all options as such a file, and start nothing', shown: 'off' },
  },
  examples: [
    ['https://example.org/', 'one site, by as many agents as there are cores'],
    [
      '--agents 7 --seeds seeds.txt --contact mailto:you@example.org --memory 4GB --out my-crawl',
      'the live Web, politely, from the URLs in seeds.txt',
    ],
    [
      '--agents 7 --web synthetic:pages=50000,sites=1000 --report report.json',
      'an emulated web that needs no network, every page of it',
    ],
  ],
  run: crawlCommand,
};

async function crawlCommand(words: readonly string[], all: GivenOptions): Promise<number> {
  const own = all.filter(([name]) => Object.hasOwn(CRAWL.ownOptions, name));
  const printing = own.find(([name]) => name === 'print-config');
  if (typeof printing?.[1] === 'string')
    throw new UsageError(`--print-config takes no value, got '${printing[1]}'`);
  const [config, another] = own.filter(([name]) => name === 'config');
  if (another !== undefined) throw new UsageError('--config is given twice');
  const named = all.filter((option) => !own.includes(option));
  const onLine = [...named, ...siteOptions(words, named)];
  const given = withContact(config === undefined ? onLine : withConfig(config[1] ?? '', onLine), process.env);
  const options = readCrawlOptions(given);
  if (printing !== undefined) {
    print(printConfig(options));
    return 0;
  }
  return crawl(given, options);
}

async function crawl(given: GivenOptions, options: CrawlOptions): Promise<number> {
  checkOptions(options);
  // Before anything is made: the executable may find no place to unpack it.
  agentThreadFile();
  const web = openCoordinatorWeb(options.web);
  const signals = new StopSignals(() => process.exit(INTERRUPTED));
  try {
    // A bad one is refused before anything is made.
    for (const seed of options.seed) readSeed(seed);
    const claimed = claimDirectory(options.out);
    signals.onFirst(() => {
      claimed.giveUp();
      process.exit(INTERRUPTED);
    });
    // Help and what is refused need not wait for it.
    const { runCrawl } = await import('./run-crawl.js');
    await writeSeeds(options, web, claimed);
    askForContact(options, claimed.directory);
    const lock = CrawlLock.take(claimed.directory.lock);
    try {
      saveOptions(claimed.directory, given, options);
      return await runCrawl(options, web, claimed.directory, signals, 0);
    } finally {
      lock.release();
    }
  } finally {
    signals.close();
    web.close();
  }
}

/** What no option can say for itself. */
function checkOptions(options: CrawlOptions): void {
  if (options.report !== '') {
    try {
      appendFileSync(options.report, '');
    } catch (error) {
      throw new UsageError(
        `--report takes a file that can be written, got '${options.report}': ${oneLine(error)}`,
      );
    }
  }
  checkPace(options);
  if (options.web !== 'http') return;
  if (options.agents === 0)
    throw new UsageError(
      "--agents takes a number from 1 for --web http, got '0': the single-machine crawler takes emulated webs",
    );
}

/** Writes the accepted seeds to the crawl directory; without any, the crawl is refused and nothing is left behind. */
async function writeSeeds(
  { seed, seeds }: CrawlOptions,
  web: Web,
  { directory, giveUp }: ClaimedDirectory,
): Promise<void> {
  try {
    const writer = new SeedFileWriter(directory.seeds);
    await acceptSeeds(writer, seeds, seed);
    if (seeds.length === 0 && seed.length === 0) for (const url of web.seeds()) writer.add(url);
    writer.close();
    if (writer.count === 0) throw new UsageError('--seeds takes a file with at least one URL, got none');
  } catch (error) {
    giveUp();
    throw error;
  }
}
