/**
 * `npm run bench -- index [--lines 3000000] [--more 10000] [--repeat 3] [--seed 1]`: how long it takes to sort what is new
 * at a checkpoint into an index of many lines, beside `sort -m` of the same two files by the system's own tool.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { nodeDisk } from '#drumline/model/disk.js';
import { cdxjLine } from '#drumline/store/cdxj.js';
import { mergeIndex } from '#drumline/store/index-merge.js';
import { Random } from '../parse/random.js';

/** What the least `--memory` that is likely gives, and the most. */
const MEMORY = [1 << 20, 32 << 20];
const LINES_A_WRITE = 4096;

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      lines: { type: 'string', default: '3000000' },
      more: { type: 'string', default: '10000' },
      repeat: { type: 'string', default: '3' },
      seed: { type: 'string', default: '1' },
    },
  });
  const [lines, more, repeat, seed] = [values.lines, values.more, values.repeat, values.seed].map(Number);
  const directory = mkdtempSync(join(tmpdir(), 'drumline-bench-'));
  const index = join(directory, 'index');
  const old = join(directory, 'old');
  const part = join(directory, 'part');
  try {
    const random = new Random(seed!);
    writeLines(old, lines!, random);
    writeLines(part, more!, random);
    const whole = (path: string) => [{ path, start: 0, end: statSync(path).size }];
    for (const memory of MEMORY) {
      const seconds = timed(() => mergeIndex(nodeDisk, whole(old), index, memory, false));
      tell(`sorted and merged from nothing, in ${memory >> 20} MB`, seconds, statSync(index).size);
    }
    for (let i = 0; i < repeat!; i++) {
      execFileSync('cp', [index, old]);
      const ours = timed(() => mergeIndex(nodeDisk, whole(part), old, MEMORY[0]!, true));
      tell(`${more} lines sorted in`, ours, statSync(old).size);
      const theirs = timed(() => {
        execFileSync('sort', ['-o', part, part], { env: { ...process.env, LC_ALL: 'C' } });
        execFileSync('sort', ['-m', '-o', old, index, part], { env: { ...process.env, LC_ALL: 'C' } });
        execFileSync('sync', [old]);
      });
      tell('sort, sort -m and sync of the same', theirs, statSync(old).size);
      process.stdout.write(`ratio ${(theirs / ours).toFixed(2)}\n`);
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function writeLines(path: string, count: number, random: Random): void {
  const file = openSync(path, 'w');
  for (let made = 0; made < count; ) {
    let text = '';
    for (const end = Math.min(count, made + LINES_A_WRITE); made < end; made++) {
      const host = `host${random.below(50_000)}.example`;
      text += cdxjLine({
        url: `https://www.${host}/articles/${random.below(1000)}/story-${random.below(1e9)}.html`,
        date: '2026-01-05T12:00:00.000Z',
        mime: 'text/html',
        status: 200,
        digest: 'SHA1SHA1SHA1SHA1SHA1SHA1SHA1SHA1',
        length: 6000 + random.below(1000),
        offset: made * 7000,
        file: `drumline-20260105120000-0-0000${made % 10}.warc.gz`,
      });
    }
    writeSync(file, text);
  }
  closeSync(file);
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
}

function tell(what: string, seconds: number, bytes: number): void {
  const speed = bytes / 1e6 / seconds;
  process.stdout.write(
    `${what}: ${seconds.toFixed(2)} s, ${(bytes / 1e6).toFixed(0)} MB, ${speed.toFixed(0)} MB/s\n`,
  );
}
