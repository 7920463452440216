/** `drumline why URL --crawl DIR`: what became of a URL, and why. */

import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { LogLine } from '../log/log-line.js';
import { readLog } from '../log/merge-logs.js';
import { type UrlHistory, urlHistory } from '../log/url-history.js';
import { canonicalUrl } from '../model/canonical-url.js';
import { CrawlDirectory } from '../model/crawl-directory.js';
import { nodeDisk } from '../model/disk.js';
import { UsageError } from '../model/errors.js';
import { readJson } from '../model/json-file.js';
import { formatCount } from '../model/quantity.js';
import { fields, text } from '../model/shape.js';
import { print, printable } from '../model/terminal.js';
import type { GivenOptions } from './arguments.js';
import type { Command } from './command.js';
import { describeReach } from './log-reach-text.js';
import { queueHolds } from './queue-search.js';
import { REASONS } from './reasons.js';

export const WHY: Command = {
  name: 'why',
  forms: [['why URL --crawl CRAWL_DIR', 'what became of a URL, and why']],
  about:
    'Looks a URL up in crawl.log and in the queues of a crawl, which may be under way: fetched, when and by which agent and found where; given up, for which reason; still waiting; or never seen.',
  crawlOptions: [],
  ownOptions: { crawl: { takes: 'CRAWL_DIR', help: 'the crawl in question', shown: '' } },
  examples: [
    ['why https://example.org/page --crawl crawl-2026-01-31T08-00-00', 'what became of this page'],
    [
      'why https://example.org/robots.txt --crawl crawl-2026-01-31T08-00-00',
      'when the rules of this site were fetched',
    ],
  ],
  run: whyCommand,
};

function whyCommand(words: readonly string[], given: GivenOptions): number {
  const [text] = words;
  if (text === undefined || words.length > 1) throw new UsageError('drumline why takes one URL');
  let path = '';
  for (const [name, value] of given) {
    if (name === 'crawl') path = value ?? '';
  }
  if (path === '') throw new UsageError('drumline why takes --crawl CRAWL_DIR, got none');
  const url = canonicalUrl(text);
  if (url === null) throw new UsageError(`drumline why takes an http or https URL, got '${text}'`);
  const directory = new CrawlDirectory(path);
  const { hostname } = new URL(url);
  const history = readLog(nodeDisk, directory, (files) => urlHistory(nodeDisk, files, url, hostname));
  if (history === null) throw new UsageError(`--crawl takes a directory with a crawl.log, got '${path}'`);
  const said = [url, ...explain(history, url, directory), ...describeReach(history.reach)];
  for (const line of said) print(printable(line));
  return 0;
}

function explain({ last, requests, site }: UrlHistory, url: string, directory: CrawlDirectory): string[] {
  const isWithSite = last?.reason === 'SITE_REFUSED' && site !== null;
  const line = isWithSite ? site : (last ?? site);
  if (line === null) return [waitingIn(directory, url) ?? neverSeen(directory)];
  const said = line === last ? explainLine(line, requests) : explainSite(line);
  if (line.repeated !== true) return said;
  const [what, ...more] = said;
  return [
    `${what}, then undone: the crawl went on from an earlier checkpoint`,
    waitingIn(directory, url) ?? notAgain(directory),
    ...more,
  ];
}

function explainSite(line: LogLine): string[] {
  return [`given up with its whole site: ${reasonText(line)}`, `at ${line.time}`];
}

/** Which queue on disk holds the URL; null if none does. */
function waitingIn({ path }: CrawlDirectory, url: string): string | null {
  const waiting = queues(path).find((queue) => queueHolds(nodeDisk, queue, url));
  return waiting === undefined ? null : `still waiting, in ${relative(path, waiting)}`;
}

function explainLine(line: LogLine, requests: number): string[] {
  const { status = 0, reason = '', via = '' } = line;
  const said: string[] = [];
  if (line.willRetry === true)
    said.push(`to be tried again: ${reason === '' ? `status ${status}` : reasonText(line)}`);
  else if (reason !== '') said.push(`given up: ${reasonText(line)}`);
  else
    said.push(
      `fetched: status ${status}, ${formatCount(line.bytes ?? 0)} bytes${line.type === undefined ? '' : ` of ${line.type}`}`,
    );
  if (reason !== '' && status > 0) said.push(`status ${status}`);
  if (line.location !== undefined) said.push(`redirects to ${line.location}`);
  said.push(`at ${line.time}, by agent ${line.agent}`);
  if (requests > 1) said.push(`after ${formatCount(requests)} requests`);
  if (line.depth !== undefined) {
    const from =
      via !== ''
        ? `found on ${via}`
        : line.depth === 0
          ? 'a seed, or the root page of a site'
          : 'found by a link';
    said.push(`${from}, at depth ${line.depth}`);
  }
  if (line.warc !== undefined) said.push(`stored in ${line.warc} at offset ${line.offset}`);
  return said;
}

function reasonText({ reason = '', detail = '' }: LogLine): string {
  const text = REASONS[reason];
  const known = text === undefined ? reason : `${text} (${reason})`;
  return detail === '' ? known : `${known}; ${detail}`;
}

/** The queues of URLs on disk: frontiers, unassigned lists, outboxes. */
function queues(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.queue'))
    .map((name) => join(directory, name));
}

/** How the crawl ended; null while it has not. */
function outcomeOf({ report }: CrawlDirectory): string | null {
  if (!nodeDisk.exists(report)) return null;
  return readJson(nodeDisk, report, fields<{ readonly outcome: string }>({ outcome: text })).outcome;
}

function neverSeen(directory: CrawlDirectory): string {
  const outcome = outcomeOf(directory);
  if (outcome === null) return 'not seen so far: the crawl has not ended';
  if (outcome === 'exhausted') return 'never seen: no page that was fetched links to it';
  return `not seen, or not reached before the crawl ended (${outcome})`;
}

function notAgain(directory: CrawlDirectory): string {
  const outcome = outcomeOf(directory);
  return outcome === null ? 'not done again so far' : `not done again before the crawl ended (${outcome})`;
}
