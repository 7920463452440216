/**
 * `http-pages [root...]`: are the pages that a crawl fetches those that a simple crawl finds (reference-crawl.ts), with 1
 * agent and with 7? Compared by the server's log.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { corpusRoots } from './corpus.js';
import { drumline, timed } from './crawlers.js';
import { referenceCrawl } from './reference-crawl.js';
import { WebServer } from './web-server.js';

const NAMED = 10;

export async function run(given: string[]): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'drumline-http-'));
  const { roots, what } =
    given.length > 0 ? { roots: given, what: given.join(', ') } : corpusRoots(directory);
  const server = await WebServer.start(roots, directory);
  try {
    await referenceCrawl(server.seeds);
    const expected = server.takePages().pages;
    process.stdout.write(`${server.name} serves ${what}: ${expected.size} pages by the simple crawl\n`);
    for (const agents of [1, 7]) {
      const crawler = drumline(agents);
      const own = mkdtempSync(join(directory, 'run-'));
      await timed(crawler.command(server.seeds, own));
      rmSync(own, { recursive: true });
      const { pages } = server.takePages();
      const missed = [...expected].filter((page) => !pages.has(page));
      const extra = [...pages].filter((page) => !expected.has(page));
      process.stdout.write(
        `${crawler.name}: ${pages.size} pages, ${missed.length} missed, ${extra.length} extra\n`,
      );
      for (const page of missed.slice(0, NAMED)) process.stdout.write(`  missed ${page}\n`);
      for (const page of extra.slice(0, NAMED)) process.stdout.write(`  extra ${page}\n`);
      if (missed.length + extra.length > 0) process.exitCode = 1;
    }
  } finally {
    server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
