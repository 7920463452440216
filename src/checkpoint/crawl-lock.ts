/**
 * Keeps two processes from crawling in one directory. What decides is always that of several `link` calls to one name, one
 * succeeds; a file that appears so is whole.
 *
 * | file                | is                                                                        |
 * |---------------------|---------------------------------------------------------------------------|
 * | LOCK                | the holder: boot of the machine, process, when that began, a number of its own |
 * | LOCK.<number>       | the same, of a process that tries                                         |
 * | LOCK.claim-<digest> | of all who found this holder dead, the one that may put itself in its place |
 *
 * Invariants
 * 1. While LOCK names a dead holder, only the owner of the claim to that holder changes it. A claim whose owner died can be
 *    claimed itself, so the owner is who has the last claim of the chain.
 * 2. No holder comes twice: who got a claim late finds another holder in LOCK, and starts anew.
 *
 * Why not otherwise: Node has no lock of the kernel on files. A socket in the directory would take paths of 100 bytes at most, an
 * abstract one is seen in its own network namespace alone, and neither is there everywhere. A process of another
 * container can't be seen, and passes for dead.
 */
import { createHash, randomBytes } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { oneLine, UsageError } from '../model/errors.js';

/** Each try that comes to nothing is one that another process got further by. */
const MOST_TRIES = 1000;

export class CrawlLock {
  readonly #path: string;
  readonly #holder: string;

  private constructor(path: string, holder: string) {
    this.#path = path;
    this.#holder = holder;
  }

  /** Throws a UsageError if a living process holds it. */
  static take(path: string): CrawlLock {
    const number = randomBytes(8).toString('hex');
    const holder = `${bootId()} ${process.pid} ${startOf(process.pid)} ${number}\n`;
    const own = `${path}.${number}`;
    try {
      writeFileSync(own, holder, { flag: 'wx' });
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        if (!isLinked(own, path) && !takesOver(path, own)) continue;
        removeLeftovers(path);
        return new CrawlLock(path, holder);
      }
      throw new Error('too many processes try');
    } catch (error) {
      if (error instanceof UsageError) throw error;
      throw new UsageError(`the crawl directory can't be locked: ${oneLine(error)}`);
    } finally {
      rmSync(own, { force: true });
    }
  }

  release(): void {
    if (holderOf(this.#path) === this.#holder) rmSync(this.#path, { force: true });
  }
}

/** Puts `own` in the place of a dead holder; false if another process was faster. Throws if the holder lives. */
function takesOver(path: string, own: string): boolean {
  const dead = holderOf(path);
  if (dead === null) return false;
  refuseLiving(path, dead);
  const claims = [claimTo(path, dead)];
  for (let claim = claims[0]!; !isLinked(own, claim); claims.push(claim)) {
    const owner = holderOf(claim);
    if (owner === null) return false;
    refuseLiving(path, owner);
    claim = claimTo(path, `${dead}${owner}${claims.length}`);
  }
  const isDead = holderOf(path) === dead;
  if (isDead) renameSync(own, path);
  // The first one last: as long as it is there, nobody gets into the chain from its beginning.
  for (const claim of claims.reverse()) rmSync(claim, { force: true });
  return isDead;
}

/** Of processes that died over it. */
function removeLeftovers(path: string): void {
  const directory = dirname(path);
  for (const name of readdirSync(directory)) {
    if (!name.startsWith(`${basename(path)}.`)) continue;
    const holder = holderOf(join(directory, name));
    if (holder !== null && holder !== '' && livingProcess(holder) === '')
      rmSync(join(directory, name), { force: true });
  }
}

const claimTo = (path: string, dead: string): string =>
  `${path}.claim-${createHash('sha1').update(dead).digest('hex')}`;

/** Was the name free, and is it another one of the file now? */
function isLinked(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Null if the file is not there. */
function holderOf(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function refuseLiving(path: string, holder: string): void {
  const living = livingProcess(holder);
  if (living !== '') throw new UsageError(`${path}: process ${living} is crawling here`);
}

/** The number of a holder that lives, or ''. */
function livingProcess(holder: string): string {
  const [boot = '', pid = '', start = ''] = holder.trim().split(' ');
  if (!/^\d+$/.test(pid) || boot !== bootId()) return '';
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    // A process of another user lives, too.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return '';
  }
  const now = startOf(Number(pid));
  return now === start || now === UNKNOWN || start === UNKNOWN ? pid : '';
}

/** Where the system does not tell. */
const UNKNOWN = '0';

/** When a process began, in ticks since the machine did; '' if it is dead. */
function startOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name before may hold spaces and brackets; the start is the 20th field behind it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // Dead, but nobody asked after it yet.
    return fields[0] === 'Z' || fields[0] === 'X' ? '' : (fields[19] ?? UNKNOWN);
  } catch {
    return UNKNOWN;
  }
}

/** Another one each time the machine starts. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return UNKNOWN;
  }
}
