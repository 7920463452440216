/** URLs on the command line: the sites that are to be crawled. */
import { existsSync } from 'node:fs';
import { UsageError } from '../model/errors.js';
import { readUrl } from '../seeds/read-seeds.js';
import type { GivenOptions } from './arguments.js';

/** The names of commands have none of these; hosts, addresses and paths do. */
export const looksLikeUrl = (word: string): boolean => /[./:]/.test(word) || word === 'localhost';

/** What options say the same: these seeds, and their hosts unless a domain is asked for. */
export function siteOptions(words: readonly string[], given: GivenOptions): GivenOptions {
  if (words.length === 0) return [];
  const isScoped = given.some(([name]) => name === 'same-host' || name === 'same-domain');
  return [
    ...words.map((word) => ['seed', checkUrl(word)] as const),
    ...(isScoped ? [] : [['same-host', null] as const]),
  ];
}

function checkUrl(word: string): string {
  const isPlain = !/^[a-z][a-z0-9+.-]*:\/\//i.test(word);
  if (isPlain && existsSync(word))
    throw new UsageError(`drumline crawl takes URLs, got the file '${word}'; did you mean --seeds ${word}?`);
  if (!looksLikeUrl(word) || readUrl(word) === null)
    throw new UsageError(`drumline crawl takes http or https URLs, got '${word}'`);
  return word;
}
