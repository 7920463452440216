/**
 * How soon a large crawl goes on: it is resumed for one page more when it has seen so many URLs; the time is that from the
 * start of the process over this page to the checkpoint behind it. Counting what could be reached, which takes seconds
 * for a web of that size, comes afterwards.
 * `-- --agents 4 --urls 5000000`
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { MAIN, readReport } from './whole-crawl.js';

function drumline(...words: string[]): void {
  execFileSync(process.execPath, [MAIN, ...words, '--progress', 'none']);
}

async function timeToCheckpoint(out: string, target: number): Promise<number> {
  const checkpoint = (): string => readFileSync(join(out, 'CURRENT'), 'latin1');
  const before = checkpoint();
  const begun = performance.now();
  const words = ['resume', out, '--target-pages', `${target}`, '--progress', 'none'];
  const child = spawn(process.execPath, [MAIN, ...words], { stdio: 'ignore' });
  const exit = once(child, 'exit');
  while (checkpoint() === before) await setTimeout(5);
  const seconds = (performance.now() - begun) / 1000;
  await exit;
  return seconds;
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
    while (readReport(out).drum.pageUrl.unique < urls) {
      target += step;
      drumline('resume', out, '--target-pages', `${target}`);
    }
    const { drum, pages } = readReport(out);
    const seconds = await timeToCheckpoint(out, pages + 1);
    const seen = drum.pageUrl.unique.toLocaleString('en');
    console.log(
      `${values.agents} agents, ${pages.toLocaleString('en')} pages crawled, ${seen} URLs seen: ` +
        `resumed, with one page more and a checkpoint behind it, within ${seconds.toFixed(1)} s`,
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
