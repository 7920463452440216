/** `drumline audit CRAWL_DIR`: was every host and every address left alone as long as it should be? */

import { type Audit, audit, type Delays, type Gap, type GapSummary } from '../log/audit.js';
import { logFiles, readLog } from '../log/merge-logs.js';
import { CrawlDirectory } from '../model/crawl-directory.js';
import { nodeDisk } from '../model/disk.js';
import { UsageError } from '../model/errors.js';
import { readJson } from '../model/json-file.js';
import { formatCount } from '../model/quantity.js';
import { fields, number, orElse } from '../model/shape.js';
import { print } from '../model/terminal.js';
import { alignColumns } from '../monitor/summary.js';
import { readCrawlOptions } from '../options/read-options.js';
import type { GivenOptions } from './arguments.js';
import type { Command } from './command.js';
import { describeReach } from './log-reach-text.js';

const DELAYS = ['host-delay', 'ip-delay'] as const;

type KeptDelays = Readonly<Record<(typeof DELAYS)[number], number | undefined>>;
const NONE: KeptDelays = { 'host-delay': undefined, 'ip-delay': undefined };
const KEPT = {
  'host-delay': orElse<number | undefined>(number, undefined),
  'ip-delay': orElse<number | undefined>(number, undefined),
};
/** Of the options that a crawl was begun with. */
const OPTIONS = fields<KeptDelays & { readonly least: KeptDelays }>({
  ...KEPT,
  least: orElse(fields<KeptDelays>(KEPT), NONE),
});

export const AUDIT: Command = {
  name: 'audit',
  forms: [['audit CRAWL_DIR', 'was every host left alone as long as it should be']],
  about:
    'Reads crawl.log, of a crawl that is over or under way, and measures the time between requests to each host and to each address. Names what came too early and exits with 1 if there is any. The delays are those of the crawl unless they are given here.',
  crawlOptions: DELAYS,
  ownOptions: {},
  examples: [
    ['audit crawl-2026-01-31T08-00-00', 'against the delays that the crawl was started with'],
    ['audit crawl-2026-01-31T08-00-00 --host-delay 5s', 'would it have kept 5 s as well?'],
  ],
  run: auditCommand,
};

function auditCommand(words: readonly string[], given: GivenOptions): number {
  const [path] = words;
  if (path === undefined || words.length > 1) throw new UsageError('drumline audit takes one CRAWL_DIR');
  const directory = new CrawlDirectory(path);
  if (logFiles(nodeDisk, directory).length === 0) throw noLog(path);
  const delays = readDelays(directory, given);
  const sorted = directory.auditRows(process.pid);
  const result = readLog(nodeDisk, directory, (files) => audit(nodeDisk, files, delays, sorted));
  if (result === null) throw noLog(path);
  print(describe(result, delays));
  return result.violations === 0 ? 0 : 1;
}

const noLog = (path: string): UsageError =>
  new UsageError(`drumline audit takes a directory with a crawl.log, got '${path}'`);

/** As the crawl had them, unless given here. */
function readDelays(directory: CrawlDirectory, given: GivenOptions): Delays {
  const here = readCrawlOptions(given);
  const ofCrawl = given.length === DELAYS.length ? NONE : readOptions(directory);
  const delay = (name: (typeof DELAYS)[number]): number => {
    if (given.some(([other]) => other === name)) return here[name];
    const value = ofCrawl[name];
    if (typeof value !== 'number')
      throw new UsageError(`${directory.options} does not say the --${name} of the crawl; give it here`);
    return value;
  };
  return { hostDelay: delay('host-delay'), ipDelay: delay('ip-delay') };
}

function readOptions(directory: CrawlDirectory): KeptDelays {
  if (!nodeDisk.exists(directory.options)) return NONE;
  const options = readJson(nodeDisk, directory.options, OPTIONS);
  // A crawl may have gone on with other delays: over all of it, the least were kept.
  const { least } = options;
  return {
    'host-delay': least['host-delay'] ?? options['host-delay'],
    'ip-delay': least['ip-delay'] ?? options['ip-delay'],
  };
}

function describe(result: Audit, { hostDelay, ipDelay }: Delays): string {
  const rows: [string, string, string?][] = [
    [
      'requests',
      formatCount(result.requests),
      `to ${formatCount(result.hosts)} hosts on ${formatCount(result.addresses)} addresses`,
    ],
  ];
  const addGap = (name: string, { closest, pairs }: GapSummary, owed: string): void => {
    if (closest !== null)
      rows.push([
        name,
        `${formatCount(closest.gap)} ms`,
        `${owed}; ${closest.receiver}; of ${formatCount(pairs)}`,
      ]);
  };
  addGap('smallest gap, host', result.perHost, `--host-delay ${formatCount(hostDelay)} ms`);
  const owed = formatCount(result.perSlowHost.closest?.delay ?? 0);
  addGap('with a longer delay', result.perSlowHost, `${owed} ms owed`);
  addGap('smallest gap, address', result.perAddress, `--ip-delay ${formatCount(ipDelay)} ms, start to start`);
  const lines = result.named.map(describeViolation);
  if (result.violations > lines.length)
    lines.push(`and ${formatCount(result.violations - lines.length)} more`);
  lines.push(...describeReach(result), `${formatCount(result.violations)} violations`);
  return [alignColumns(rows), ...lines].join('\n');
}

function describeViolation({ receiver, url, started, gap, delay }: Gap): string {
  const time = new Date(started).toISOString();
  return `${time} ${receiver}: ${formatCount(gap)} ms instead of ${formatCount(delay)} ms before ${url}`;
}
