/** Hosts whose links, redirects, sitemaps and rules never come to an end. */
import { gzipSync } from 'node:zlib';
import { type Answer, numbers, page, type Request, type Trap } from './answer.js';

const DAY_MS = 86_400_000;
const ROBOTS_BYTES = 500 * 1024;
const LONGEST_CHAIN = 100;
const SITEMAP_URLS = 10_000;

/** `kind-7.localhost:80` to `kind-1007.localhost:80`, which no other chain comes to. */
function nextHost(host: string): string {
  return host.replace(/-(\d+)\./, (_, number) => `-${Number(number) + 1000}.`);
}

/** Each root page of a new site begins a count of redirects, and they are not deeper: nothing but its end ends the chain. */
function redirectToHost({ host }: Request): Answer {
  const number = Number(/-(\d+)\./.exec(host)?.[1] ?? 0);
  return number < 1000 * LONGEST_CHAIN ? redirect(`http://${nextHost(host)}/`) : page('');
}

function redirect(to: string): Answer {
  return { status: '302 Found', head: `location: ${to}\r\n`, body: new Uint8Array(0) };
}

function xml(body: Uint8Array): Answer {
  return { head: 'content-type: application/xml\r\n', body };
}

function sitemap(host: string): Answer {
  const url = `<url><loc>http://${host}/${'x'.repeat(1900)}</loc></url>`;
  return xml(gzipSync(`<urlset>${url.repeat(SITEMAP_URLS)}</urlset>`));
}

function calendar({ path }: Request): Answer {
  const day = Number(/\d+/.exec(path)?.[0] ?? 20_000);
  const link = (to: number) => `<a href="/day/${to}">${new Date(to * DAY_MS).toISOString()}</a>`;
  return page(numbers(400, (i) => link(day + i + 1)));
}

function withRobots(robots: (host: string) => string, other: Trap): Trap {
  return (request) =>
    request.path === '/robots.txt'
      ? { head: 'content-type: text/plain\r\n', body: Buffer.from(robots(request.host)) }
      : other(request);
}

const toIndex = (host: string): string => `sitemap: http://${host}/map.xml\n`;
const wildcards = `user-agent: *\n${`disallow: /a/${'*a'.repeat(500)}b$\n`.repeat(ROBOTS_BYTES / 1000)}`;
let sessions = 0;

export const LINKS: Readonly<Record<string, Trap>> = {
  'growing-base': ({ path }) => page(`<base href="${path}b/">${numbers(100, (i) => `<a href="${i}/">`)}`),
  calendar,
  'session-ids': () => page(numbers(1000, (i) => `<a href="/p${i}?sid=${(sessions++).toString(36)}">`)),
  'growing-paths': ({ path }) => page(numbers(1000, (i) => `<a href="${path === '/' ? '' : path}/${i}">`)),
  'repeated-segments': () => page(numbers(1000, (i) => `<a href="about/${i % 10}/">`)),
  'query-permutations': ({ path }) =>
    page(
      numbers(1000, (i) => `<a href="${path}${path.includes('?') ? '&' : '?'}${'abcdefgh'[i % 8]}=${i}">`),
    ),
  'international-names': ({ host }) =>
    page(
      host.split('.').length > 2
        ? ''
        : numbers(100, (i) => `<a href="http://${'bü'.repeat(1 + (i % 9))}${i}.${host}/">`),
    ),
  'odd-ports': ({ host }) => page(numbers(100, (i) => `<a href="http://${host.split(':')[0]}:${i + 1}/">`)),
  'chain-of-hosts': ({ host }) => page(`<a href="http://${nextHost(host)}/">next</a>`),
  'meta-refresh': ({ path }) => page(`<meta http-equiv="refresh" content="0; url=${path}r">`),
  'endless-redirects': ({ path }) => redirect(`${path}r`),
  'redirects-to-hosts': redirectToHost,
  'worst-rules': withRobots(
    () => wildcards,
    () =>
      page(numbers(500, (i) => `<a href="/a/${'a'.repeat(1000)}${i}"><a href="/b${'a'.repeat(1000)}${i}">`)),
  ),
  'sitemap-indexes': withRobots(toIndex, ({ host, path }) =>
    path === '/'
      ? page('')
      : xml(
          Buffer.from(
            `<sitemapindex>${numbers(100, (i) => `<sitemap><loc>http://${host}${path}${i}</loc></sitemap>`)}</sitemapindex>`,
          ),
        ),
  ),
  'sitemap-bomb': withRobots(toIndex, (request) =>
    request.path === '/map.xml' ? sitemap(request.host) : page(''),
  ),
};

/** The others have no robots.txt. */
export const KINDS_WITH_RULES: ReadonlySet<string> = new Set([
  'worst-rules',
  'sitemap-indexes',
  'sitemap-bomb',
]);
