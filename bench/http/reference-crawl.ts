/** A crawl as simple as can be, link by link in memory with parse5, that says which pages there are to find. */
import { Agent, request } from 'undici';
import { loadOracle } from '../parse/oracle-links.js';

const AT_ONCE = 8;

/** Fetches all that can be reached from `seeds` on their hosts. */
export async function referenceCrawl(seeds: readonly string[]): Promise<void> {
  const linksOf = await loadOracle();
  const hosts = new Set(seeds.map((seed) => new URL(seed).host));
  const seen = new Set(seeds);
  const queue = [...seeds];
  const agent = new Agent({ connections: AT_ONCE });

  const add = (href: string, base: string): void => {
    if (!URL.canParse(href, base)) return;
    const url = new URL(href, base);
    url.hash = '';
    if (!hosts.has(url.host) || url.protocol !== 'http:' || seen.has(url.href)) return;
    seen.add(url.href);
    queue.push(url.href);
  };
  const visit = async (url: string): Promise<void> => {
    const { statusCode, headers, body } = await request(url, { dispatcher: agent });
    const isPage = statusCode === 200 && String(headers['content-type']).startsWith('text/html');
    if (!isPage) {
      await body.dump();
      if (statusCode >= 300 && statusCode < 400) add(String(headers['location']), url);
      return;
    }
    const { base, links } = linksOf(await body.text());
    const from = base === null ? url : new URL(base, url).href;
    // Each is its kind, a space and the link as it stands there.
    for (const link of links)
      if (!/^[a-z]+ nofollow /.test(link)) add(link.slice(link.indexOf(' ') + 1), from);
  };
  let at = 0;
  let underWay = 0;
  await new Promise<void>((resolve, reject) => {
    const next = (): void => {
      while (underWay < AT_ONCE && at < queue.length) {
        underWay++;
        visit(queue[at++]!).then(() => {
          underWay--;
          next();
        }, reject);
      }
      if (underWay === 0) resolve();
    };
    next();
  });
  await agent.close();
}
