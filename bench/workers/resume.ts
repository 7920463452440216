/**
 * How soon a large crawl goes on: it is killed when it has seen so many URLs, and resumed for one page more; the time is
 * that of the whole process, from its start over that page and its last checkpoint to its end.
 * `-- --agents 4 --urls 5000000`
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Report } from '#drumline/workers/report.js';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));

const reportOf = (out: string): Report =>
  JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report;

function drumline(...words: string[]): number {
  const begun = performance.now();
  execFileSync(process.execPath, [MAIN, ...words, '--progress', 'none']);
  return (performance.now() - begun) / 1000;
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      agents: { type: 'string', default: '4' },
      urls: { type: 'string', default: '5000000' },
      memory: { type: 'string', default: '1GB' },
    },
  });
  const urls = Number(values.urls);
  const directory = mkdtempSync(join(tmpdir(), 'drumline-bench-'));
  try {
    const out = join(directory, 'crawl');
    const web = `synthetic:pages=${2 * urls},sites=20000`;
    const step = Math.ceil(urls / 25);
    let target = step;
    drumline(
      '--agents',
      values.agents,
      '--web',
      web,
      '--memory',
      values.memory,
      '--target-pages',
      `${target}`,
      '--out',
      out,
    );
    while (reportOf(out).drum.pageUrl.unique < urls) {
      target += step;
      drumline('resume', out, '--target-pages', `${target}`);
    }
    const { drum, pages } = reportOf(out);
    const seconds = drumline('resume', out, '--target-pages', `${pages + 1}`);
    const seen = drum.pageUrl.unique.toLocaleString('en');
    console.log(
      `${values.agents} agents, ${pages.toLocaleString('en')} pages crawled, ${seen} URLs seen: ` +
        `resumed, one page more and stopped again within ${seconds.toFixed(1)} s`,
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
