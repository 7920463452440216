/**
 * Keeps two processes from crawling in one directory. The lock names its process and when that began, so that one left
 * behind by a dead process, or by one whose number was given to another since, does not count.
 */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { oneLine, UsageError } from '../model/errors.js';

export class CrawlLock {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Throws a UsageError if a living process holds it. */
  static take(path: string): CrawlLock {
    for (let tries = 0; ; tries++) {
      try {
        const file = openSync(path, 'wx');
        writeSync(file, `${process.pid} ${startOf(process.pid)}\n`);
        closeSync(file);
        return new CrawlLock(path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || tries > 5)
          throw new UsageError(`the crawl directory can't be locked: ${oneLine(error)}`);
      }
      const holder = livingHolder(path);
      if (holder !== null) throw new UsageError(`${path}: process ${holder} is crawling here`);
      rmSync(path, { force: true });
    }
  }

  release(): void {
    rmSync(this.#path, { force: true });
  }
}

function livingHolder(path: string): string | null {
  let pid = '';
  let start = '';
  try {
    [pid = '', start = ''] = readFileSync(path, 'latin1').trim().split(' ');
    process.kill(Number(pid), 0);
  } catch (error) {
    // A process of another user lives, too.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null;
  }
  return start === startOf(Number(pid)) ? pid : null;
}

/** When a process began, in ticks since the machine did; 0 where the system does not tell, '' if it is dead. */
function startOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name before may hold spaces and brackets; the start is the 20th field behind it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // Dead, but nobody asked after it yet.
    return fields[0] === 'Z' || fields[0] === 'X' ? '' : (fields[19] ?? '0');
  } catch {
    return '0';
  }
}
