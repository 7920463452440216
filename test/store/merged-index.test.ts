import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Disk, nodeDisk } from '#drumline/model/disk.js';
import { Random } from '#drumline/simulate/random.js';
import { completeIndex, updateIndex } from '#drumline/store/merged-index.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

const MEMORY = 1 << 17;

/** Parts that grow by lines, all of them different, and the index that is expected of them. */
class Parts {
  readonly #random: Random;
  readonly #lines: string[][] = [[], [], []];
  readonly paths: string[];
  readonly files: { readonly index: string; readonly merged: string };
  #made = 0;

  constructor(directory: string, seed: number) {
    this.#random = new Random(seed);
    this.paths = this.#lines.map((_, i) => join(directory, `index-${i}.cdxj-part`));
    this.files = { index: join(directory, 'index.cdxj'), merged: join(directory, 'work', 'index.merged') };
    for (const path of this.paths) writeFileSync(path, '');
  }

  grow(): void {
    for (const [i, lines] of this.#lines.entries()) {
      const more = Array.from(
        { length: this.#random.below(30) },
        () => `${this.#random.word()} ${this.#made++}\n`,
      );
      lines.push(...more);
      appendFileSync(this.paths[i]!, more.join(''));
    }
  }

  get ends(): { path: string; end: number }[] {
    return this.paths.map((path, i) => ({ path, end: this.#lines[i]!.join('').length }));
  }

  check(what: string): void {
    const expected = this.#lines.flat().sort().join('');
    assert.equal(readFileSync(this.files.index, 'latin1'), expected, what);
  }
}

/** Counts its changes, and throws at the given one and from then on. */
function dyingDisk(failAt: number): Disk & { changes: number } {
  const disk = {
    ...nodeDisk,
    changes: 0,
    open(path: string, mode: 'read' | 'create' | 'update') {
      if (mode !== 'read') change();
      return nodeDisk.open(path, mode);
    },
    rename(from: string, to: string) {
      change();
      nodeDisk.rename(from, to);
    },
    remove(path: string) {
      change();
      nodeDisk.remove(path);
    },
  };
  const change = (): void => {
    if (++disk.changes >= failAt) throw new Error('the power is off');
  };
  return disk;
}

test('lines that are added to the parts are sorted into the index, and those behind the ends are not', (t) => {
  const parts = new Parts(temporaryDirectory(t), 3);
  for (let round = 0; round < 20; round++) {
    parts.grow();
    const { ends } = parts;
    for (const path of parts.paths) appendFileSync(path, 'behind the checkpoint\n');
    updateIndex(nodeDisk, parts.files, ends, MEMORY);
    parts.check(`round ${round}`);
    for (const { path, end } of ends) truncateSync(path, end);
  }
});

test('only what is new is read, and nothing is written if nothing is', (t) => {
  const parts = new Parts(temporaryDirectory(t), 4);
  parts.grow();
  const { ends } = parts;
  updateIndex(nodeDisk, parts.files, ends, MEMORY);
  for (const { path, end } of ends) writeFileSync(path, Buffer.alloc(end));
  updateIndex(dyingDisk(1), parts.files, ends, MEMORY);
  parts.check('nothing is new');
});

test('whenever it dies, the index is the old one or the new one, and the next update is right', (t) => {
  for (let failAt = 1, isOver = false; !isOver; failAt++) {
    const directory = temporaryDirectory(t);
    const parts = new Parts(directory, failAt);
    parts.grow();
    updateIndex(nodeDisk, parts.files, parts.ends, MEMORY);
    const old = readFileSync(parts.files.index, 'latin1');
    parts.grow();
    try {
      updateIndex(dyingDisk(failAt), parts.files, parts.ends, MEMORY);
      isOver = true;
    } catch {
      if (readFileSync(parts.files.index, 'latin1') !== old) parts.check(`change ${failAt}`);
    }
    parts.grow();
    updateIndex(nodeDisk, parts.files, parts.ends, MEMORY);
    parts.check(`after a death at change ${failAt}`);
  }
});

test('an index that somebody changed, or whose books are damaged, is made anew', (t) => {
  const parts = new Parts(temporaryDirectory(t), 6);
  const breakers = [
    () => appendFileSync(parts.files.index, 'more\n'),
    () => {
      const bytes = readFileSync(parts.files.index);
      bytes[bytes.length >>> 1]! ^= 1;
      writeFileSync(parts.files.index, bytes);
    },
    () => rmSync(parts.files.index),
    () => rmSync(parts.files.merged),
    () => writeFileSync(parts.files.merged, '{"index-0'),
    () => writeFileSync(parts.files.merged, 'null'),
    () => writeFileSync(parts.files.merged, '{"index-0.cdxj-part":"7"}'),
  ];
  for (const [i, breakIt] of breakers.entries()) {
    parts.grow();
    updateIndex(nodeDisk, parts.files, parts.ends, MEMORY);
    breakIt();
    parts.grow();
    updateIndex(nodeDisk, parts.files, parts.ends, MEMORY);
    parts.check(`breaker ${i}`);
  }
});

test('a complete index is made anew by whoever goes back to a checkpoint', (t) => {
  const parts = new Parts(temporaryDirectory(t), 7);
  parts.grow();
  const { ends } = parts;
  updateIndex(nodeDisk, parts.files, ends, MEMORY);
  for (const path of parts.paths) appendFileSync(path, `${path} is cut off later\n`);
  completeIndex(nodeDisk, parts.files, parts.paths, MEMORY);
  assert.match(readFileSync(parts.files.index, 'latin1'), /cut off later/);
  assert.ok(!existsSync(parts.files.merged));
  for (const { path, end } of ends) truncateSync(path, end);
  parts.grow();
  updateIndex(nodeDisk, parts.files, parts.ends, MEMORY);
  parts.check('after going back');
});
