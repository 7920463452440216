import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Disk, DiskFile } from '#drumline/model/disk.js';
import { KeyHash } from '#drumline/model/key-hash.js';
import { SiteLedger } from '#drumline/shard/site-ledger.js';
import { SiteStates } from '#drumline/shard/site-states.js';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';
import { Random } from '#drumline/simulate/random.js';

const PATH = '/crawl/sites';
const HASH = new KeyHash([1, 2, 3, 4]);

/** Counts what is read and written. */
class CountingDisk extends MemoryDisk {
  moved = 0;
  written = 0;

  override open(...how: Parameters<MemoryDisk['open']>): DiskFile {
    const file = super.open(...how);
    return {
      ...file,
      read: (...range) => {
        const length = file.read(...range);
        this.moved += length;
        return length;
      },
      write: (...range) => {
        this.moved += range[2] - range[1];
        this.written += range[2] - range[1];
        file.write(...range);
      },
    };
  }
}

const keyOf = (site: number): [number, number] => [Math.imul(site, 0x9e3779b1) >>> 0, site];

/** A ledger, and the number that each site has in it as its pages. */
class Model {
  readonly pages = new Map<number, number>();
  readonly states = new SiteStates(1 << 12, HASH);
  ledger: SiteLedger;

  constructor(disk: Disk, isSaved: boolean) {
    this.ledger = new SiteLedger(disk, PATH, 0, HASH, isSaved);
  }

  set(site: number, pages: number): void {
    this.states.clear(0, ...keyOf(site));
    this.states.pages[0] = pages;
    this.ledger.save(this.states, 0);
    this.pages.set(site, pages);
  }

  get(site: number): number | undefined {
    this.states.clear(0, ...keyOf(site));
    return this.ledger.load(this.states, 0, ...keyOf(site)) ? this.states.pages[0] : undefined;
  }

  saved() {
    const chunks: Uint8Array[] = [];
    const state = this.ledger.saveTo((bytes, start, end) => chunks.push(bytes.slice(start, end)));
    return { state: state!, chunks, pages: new Map(this.pages) };
  }

  check(pages: Map<number, number>, sites: number, when: string): void {
    for (let site = 0; site < sites; site++)
      assert.equal(this.get(site), pages.get(site), `${when}: site ${site}`);
  }
}

for (const isSaved of [false, true]) {
  test(`a ledger ${isSaved ? 'with' : 'without'} checkpoints holds what a map holds`, () => {
    const random = new Random(31);
    const model = new Model(new MemoryDisk(), isSaved);
    for (let step = 0; step < 20_000; step++) {
      const site = random.below(6000);
      if (random.chance(0.5)) model.set(site, step);
      else assert.equal(model.get(site), model.pages.get(site), `step ${step}`);
    }
    model.check(model.pages, 6000, 'at the end');
    assert.equal(model.ledger.taken, model.pages.size);
  });
}

test('a ledger goes on from its last checkpoint, whatever was written or lost since', () => {
  const random = new Random(77);
  const disk = new MemoryDisk();
  let model = new Model(disk, true);
  for (let round = 0; round < 12; round++) {
    for (let i = 0; i < 1500; i++) model.set(random.below(4000), random.below(1e6));
    const kept = model.saved();
    if (random.chance(0.7)) model.ledger.confirm();
    for (let i = 0; i < 700; i++) model.set(random.below(4000), random.below(1e6));
    // A power cut: what was not synced is there, or not, or in part.
    disk.crash(random);
    model = new Model(disk, true);
    model.ledger.restore(kept.state, (visit) => {
      for (const chunk of kept.chunks) visit(chunk, 0, chunk.length);
    });
    for (const [site, pages] of kept.pages) model.pages.set(site, pages);
    model.check(kept.pages, 4000, `round ${round}`);
  }
});

test('growth of the ledger is spread: no site costs more than a few pages', () => {
  const disk = new CountingDisk();
  const model = new Model(disk, true);
  let most = 0;
  for (let site = 0; site < 60_000; site++) {
    const before = disk.moved;
    model.set(site, site);
    most = Math.max(most, disk.moved - before);
  }
  assert.ok(most <= 10 * 4096, `${most} bytes for one site`);
});

test('a checkpoint of the ledger writes what changed, and its file does not grow with every one', () => {
  const disk = new CountingDisk();
  const model = new Model(disk, true);
  for (let site = 0; site < 30_000; site++) model.set(site, site);
  const first = model.saved();
  model.ledger.confirm();
  for (let round = 0; round < 20; round++) {
    const before = disk.written;
    for (let site = 0; site < 10; site++) model.set(site * 1000 + round, round);
    const { chunks } = model.saved();
    model.ledger.confirm();
    assert.ok(disk.written - before <= 10 * 4096, `${disk.written - before} bytes written for ten sites`);
    const directory = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    assert.ok(directory <= 2 * 30_000, `a directory of ${directory} bytes`);
  }
  assert.ok(model.saved().state.slots <= first.state.slots + 20);
});

test('damage of the ledger is found when it is read', () => {
  const disk = new MemoryDisk();
  const model = new Model(disk, true);
  for (let site = 0; site < 2000; site++) model.set(site, site);
  const kept = model.saved();
  const whole = disk.files().get(PATH)!;
  const open = () => {
    const other = new Model(disk, true);
    other.ledger.restore(kept.state, (visit) => {
      for (const chunk of kept.chunks) visit(chunk, 0, chunk.length);
    });
    return other;
  };
  const flipped = whole.slice();
  for (let at = 0; at < flipped.length; at += 4096) flipped[at + 1500]! ^= 4;
  for (const bytes of [flipped, whole.subarray(0, 5000), new Uint8Array(0)]) {
    disk.put(PATH, bytes);
    assert.throws(() => open().check(kept.pages, 2000, 'damaged'), /damaged/);
  }
  disk.remove(PATH);
  assert.throws(open, /damaged/);
  disk.put(PATH, whole);
  open().check(kept.pages, 2000, 'whole');
});
