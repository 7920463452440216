/** A crawl that was killed, each of its files damaged in turn: it is refused in one line, or ends whole all the same. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Report } from '#drumline/run/report.js';
import { checkArchive } from '../store/check-archive.js';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
const WEB = 'synthetic:pages=240,sites=8,size=1500';
const QUIET = ['--progress', 'none'];

export const WAYS = [
  'missing',
  'empty',
  'cut',
  'longer',
  'flipped in front',
  'flipped in the middle',
] as const;
export type Way = (typeof WAYS)[number];

/** In three runs; the last is killed behind its first checkpoints. */
export async function killedCrawl(out: string): Promise<void> {
  const more = ['--list-pages', '--log', 'on', '--store', 'warc', '--warc-size', '40KB', '--min-free', '0'];
  drumline('--agents', '2', '--web', WEB, '--out', out, ...more, '--target-pages', '50');
  drumline('resume', out, '--target-pages', '100');
  const before = readFileSync(join(out, 'CURRENT'), 'latin1');
  const words = [MAIN, 'resume', out, '--target-pages', '200', '--checkpoint-interval', '1ms', ...QUIET];
  const child = spawn(process.execPath, words, { stdio: 'ignore' });
  const exit = once(child, 'exit');
  while (child.exitCode === null && readFileSync(join(out, 'CURRENT'), 'latin1') === before)
    await setTimeout(1);
  child.kill('SIGKILL');
  await exit;
}

function drumline(...words: string[]) {
  return spawnSync(process.execPath, [MAIN, ...words, ...QUIET], { encoding: 'utf8', timeout: 60_000 });
}

export function filesOf(out: string): string[] {
  return readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(out, join(entry.parentPath, entry.name)))
    .sort();
}

/** False if the file is too small to be damaged so. */
function damage(path: string, way: Way): boolean {
  const bytes = readFileSync(path);
  if (bytes.length === 0 && way !== 'missing' && way !== 'longer') return false;
  if (way === 'missing') rmSync(path);
  else if (way === 'empty') truncateSync(path, 0);
  else if (way === 'cut') truncateSync(path, Math.floor(bytes.length / 2));
  else if (way === 'longer') writeFileSync(path, Buffer.concat([bytes, Buffer.from('{"more\0')]));
  else {
    bytes[way === 'flipped in front' ? 0 : Math.floor(bytes.length / 2)]! ^= 4;
    writeFileSync(path, bytes);
  }
  return true;
}

/** What is wrong with how the crawl goes on, in words; '' if nothing is, null if there was nothing to damage. */
export function resumeDamaged(killed: string, name: string, way: Way): string | null {
  const out = `${killed}-damaged`;
  rmSync(out, { recursive: true, force: true });
  cpSync(killed, out, { recursive: true });
  if (!damage(join(out, name), way)) return null;
  const { status, stderr, signal } = drumline('resume', out);
  const told = stderr.trim().split('\n');
  if (status === 0) return wrongWith(out);
  if (signal !== null) return `ended by ${signal}`;
  if (told.length !== 1 || !/; (put back|go on with)|, which holds no crawl$/.test(told[0]!))
    return `exit ${status}: ${stderr}`;
  return '';
}

function wrongWith(out: string): string {
  const { outcome, coverage, overlap, pages } = JSON.parse(
    readFileSync(join(out, 'report.json'), 'utf8'),
  ) as Report;
  const faults = [...checkArchive(out).faults];
  if (outcome !== 'exhausted' || coverage !== 1 || overlap !== 0)
    faults.push(`${outcome}, coverage ${coverage}, overlap ${overlap}`);
  const listed = readFileSync(join(out, 'pages.txt'), 'utf8').trimEnd().split('\n');
  if (listed.length !== pages || new Set(listed).size !== pages)
    faults.push(`${listed.length} lines of ${pages}`);
  faults.push(...wrongWithLog(out, pages));
  if (existsSync(join(out, 'work'))) faults.push('work stayed');
  return faults.slice(0, 3).join('; ');
}

function wrongWithLog(out: string, pages: number): string[] {
  let logged = 0;
  for (const line of readFileSync(join(out, 'crawl.log'), 'utf8').trimEnd().split('\n')) {
    let fields: { kind?: string; status?: number; repeated?: boolean };
    try {
      fields = JSON.parse(line);
    } catch {
      return [`crawl.log: ${line.slice(0, 80)}`];
    }
    if (fields.kind === 'page' && fields.status === 200 && fields.repeated !== true) logged++;
  }
  return logged === pages ? [] : [`${logged} pages logged of ${pages}`];
}
