/**
 * One line of a robots.txt: what kind it is, and its value. Names are taken as Google's published parser takes them, by
 * their beginnings and with the typos that are frequent, because a typo must not make the crawler ruder. Where a line has
 * no colon, a blank stands for it if name and value are two words. A crawl delay, which that parser does not know, is
 * taken as generously.
 */
export type LineKind = 'user-agent' | 'allow' | 'disallow' | 'crawl-delay' | 'sitemap';

export interface RobotsStatement {
  readonly kind: LineKind;
  readonly value: string;
}

const NAMES: readonly (readonly [beginning: string, kind: LineKind])[] = [
  ['user-agent', 'user-agent'],
  ['useragent', 'user-agent'],
  ['user agent', 'user-agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['crawl-delay', 'crawl-delay'],
  ['crawldelay', 'crawl-delay'],
  ['crawl delay', 'crawl-delay'],
  ['sitemap', 'sitemap'],
  ['site-map', 'sitemap'],
];
const LONGEST_NAME = 16;

/** What a line says, without its comment; null if nothing that counts. */
export function readRobotsLine(line: string): RobotsStatement | null {
  const hash = line.indexOf('#');
  const [start, end] = trimmed(line, 0, hash < 0 ? line.length : hash);
  const colon = line.indexOf(':', start);
  const separator = colon >= 0 && colon < end ? colon : onlyGap(line, start, end);
  if (separator < 0) return null;
  const name = line.slice(start, Math.min(separator, start + LONGEST_NAME)).toLowerCase();
  const kind = NAMES.find(([beginning]) => name.startsWith(beginning))?.[1];
  return kind === undefined ? null : { kind, value: line.slice(...trimmed(line, separator + 1, end)) };
}

/** The first blank between two words, if there are no more words. REQUIRES: `line[start, end)` is trimmed. */
function onlyGap(line: string, start: number, end: number): number {
  let gap = start;
  while (gap < end && !isGap(line.charCodeAt(gap))) gap++;
  if (gap === end) return -1;
  let value = gap;
  while (isGap(line.charCodeAt(value))) value++;
  for (let at = value; at < end; at++) if (isGap(line.charCodeAt(at))) return -1;
  return gap;
}

/** Blanks of ASCII alone: in UTF-8 others are parts of characters. Walks, as a pattern would try each run of blanks anew. */
function trimmed(line: string, from: number, to: number): [start: number, end: number] {
  let [start, end] = [from, to];
  while (start < end && isBlank(line.charCodeAt(start))) start++;
  while (start < end && isBlank(line.charCodeAt(end - 1))) end--;
  return [start, end];
}

const isBlank = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0c);
const isGap = (code: number): boolean => code === 0x20 || code === 0x09;
