/** The crawlers that are compared, as commands. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm';
const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
/** Runs a command and writes its CPU seconds (user, system) and the clock's to standard error. */
const TIMED = 'TIMEFORMAT="%U %S %R"; time "$@" >/dev/null 2>&1';

export interface Crawler {
  readonly name: string;
  /** Where the directory is to be, if not with the server's files. */
  readonly home?: string;
  /** The command, for seeds and a directory of its own. */
  command(seeds: readonly string[], directory: string): string[];
}

export function drumline(agents: number, ...more: string[]): Crawler {
  return drumlineOf(MAIN, agents, ...more);
}

/** `main` is the program's main file, of this build or of another. */
export function drumlineOf(main: string, agents: number, ...more: string[]): Crawler {
  const options =
    '--web http --contact mailto:bench@example.org --allow-private --same-host --host-delay 0s --ip-delay 0s';
  const all = '--progress none --pages-per-site 1000000 --depth-per-site 1000 --trap-links off';
  const stores = more.includes('none') ? 'stores no pages' : 'stores pages as WARC';
  return {
    name: `drumline, ${agents} agents, ${stores}`,
    command: (seeds, directory) => [
      ...[process.execPath, main, '--agents', `${agents}`, ...options.split(' '), ...all.split(' '), ...more],
      ...['--out', join(directory, 'crawl'), ...seeds.flatMap((seed) => ['--seed', seed])],
    ],
  };
}

/**
 * Those that are installed. They are told by suffix what is no page: by type, wget2 would ask for each page twice. They
 * store what they fetch, file by file, which on a disk can take most of their time: so wget2 also runs with its files in
 * memory, where that can be had.
 */
export function peers(): Crawler[] {
  const recursive = (program: string, ...more: string[]): Crawler => ({
    name: `${program}, stores pages as files`,
    command: (seeds, directory) => [
      ...[program, '-q', '-r', '-l', 'inf', '-P', directory, '--reject=css,js,png,gif,svg,jpg,ico,txt,zip'],
      ...[...more, ...seeds],
    ],
  });
  const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;
  const wget2 = recursive('wget2', '--max-threads=8');
  const all: Crawler[] = [];
  if (isInstalled('wget2')) all.push(wget2);
  if (isInstalled('wget2') && existsSync(MEMORY))
    all.push({ ...wget2, name: 'wget2, stores pages as files in memory', home: MEMORY });
  if (isInstalled('wget')) all.push(recursive('wget'));
  return all;
}

export async function timed(command: readonly string[]): Promise<{ cpu: number; clock: number }> {
  const child = spawn('bash', ['-c', TIMED, 'bash', ...command], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const [user, system, clock] = output.trim().split('\n').at(-1)!.split(' ').map(Number);
  // wget counts a missing page as failure, with exit code 8.
  if (clock === undefined || (code !== 0 && code !== 8))
    throw new Error(`${command.join(' ')}: exit code ${code}`);
  return { cpu: user! + system!, clock };
}
