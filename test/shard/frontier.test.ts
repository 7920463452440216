import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { nodeDisk } from '#drumline/model/disk.js';
import { Frontier, type FrontierState } from '#drumline/shard/frontier.js';
import { Random } from '#drumline/simulate/random.js';

function withFrontier(
  memoryBytes: number,
  needsAddress: boolean,
  use: (frontier: Frontier, clock: { now: number }) => void,
): void {
  const directory = mkdtempSync(join(tmpdir(), 'drumline-frontier-'));
  const clock = { now: 1000 };
  const frontier = new Frontier(
    nodeDisk,
    {
      urls: (number: number) => join(directory, `urls-${number}`),
      sites: join(directory, 'sites'),
    },
    { memoryBytes, needsAddress, clock: () => clock.now },
  );
  try {
    use(frontier, clock);
  } finally {
    frontier.close();
    rmSync(directory, { recursive: true });
  }
}

/** Numbers from 0 to below `limit`, the same for the same seed. */
function randomizer(seed: number): (limit: number) => number {
  const random = new Random(seed);
  return (limit) => random.below(limit);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function push(frontier: Frontier, site: number, text: string): void {
  const bytes = encoder.encode(`--${text}--`);
  frontier.push(site * 7919, site, bytes, 2, bytes.length - 2);
}

function peek(frontier: Frontier, site: number): string {
  const { bytes, start, end } = frontier.peek(site);
  return decoder.decode(bytes.subarray(start, end));
}

for (const [memoryBytes, sites, steps] of [
  [1000, 5, 4000],
  [1000, 300, 12000],
  [200_000, 3000, 20000],
  [10_000_000, 500, 20000],
] as const) {
  test(`queues of ${sites} sites with ${memoryBytes} bytes of memory behave as queues in memory`, () => {
    const seed = memoryBytes + sites;
    const random = randomizer(seed);
    withFrontier(memoryBytes, true, (frontier, clock) => {
      const queues = new Map<number, string[]>();
      const readyAt = new Map<number, number>();
      const addresses = new Map<number, string>();
      const pages = new Map<number, number>();
      const taken: number[] = [];
      let count = 0;
      const siteOf = (handle: number) => Number(peek(frontier, handle).split(' ')[0]);
      const takeOne = (): boolean => {
        const handle = frontier.next();
        if (handle === 0) return false;
        const site = siteOf(handle);
        assert.ok((readyAt.get(site) ?? 0) <= clock.now, `seed ${seed}: site ${site} before its time`);
        assert.equal(frontier.addresses.get(handle), addresses.get(site), `seed ${seed}`);
        assert.ok(
          !taken.some((other) => siteOf(other) === site),
          `seed ${seed}: site ${site} handed out twice`,
        );
        taken.push(handle);
        return true;
      };
      const finishOne = (): void => {
        const handle = taken.splice(random(taken.length), 1)[0]!;
        const site = siteOf(handle);
        assert.equal(frontier.notes.pagesOf(handle), pages.get(site) ?? 0, `seed ${seed}`);
        assert.equal(frontier.notes.failuresOf(handle), (pages.get(site) ?? 0) % 5, `seed ${seed}`);
        if (random(4) > 0) {
          assert.equal(
            peek(frontier, handle),
            queues.get(site)!.shift(),
            `seed ${seed}: order in site ${site}`,
          );
          frontier.drop(handle);
          count--;
          frontier.notes.countPage(handle);
          pages.set(site, (pages.get(site) ?? 0) + 1);
          frontier.notes.setFailures(handle, pages.get(site)! % 5);
        }
        readyAt.set(site, clock.now + random(50));
        frontier.release(handle, readyAt.get(site)!);
      };
      for (let step = 0; step < steps; step++) {
        const choice = random(10);
        const site = 1 + random(sites);
        if (choice < 5) {
          const text = `${site} ${step} ${'x'.repeat(random(step % 97 === 0 ? 3000 : 90))}`;
          push(frontier, site, text);
          queues.set(site, [...(queues.get(site) ?? []), text]);
          count++;
        } else if (choice < 6 && !addresses.has(site)) {
          addresses.set(site, random(3) === 0 ? `2001:db8::${site.toString(16)}` : `203.0.113.${site % 256}`);
          frontier.setAddress(site * 7919, site, addresses.get(site)!);
        } else if (choice < 8) takeOne();
        else if (taken.length > 0) finishOne();
        if (random(20) === 0) clock.now += random(30);
        assert.equal(frontier.count, count, `seed ${seed}`);
      }
      for (let site = 1; site <= sites; site++) {
        if (addresses.has(site)) continue;
        addresses.set(site, '198.51.100.7');
        frontier.setAddress(site * 7919, site, '198.51.100.7');
      }
      while (frontier.count > 0) {
        while (taken.length < 20 && takeOne());
        if (taken.length > 0) finishOne();
        else {
          assert.ok(Number.isFinite(frontier.delay), `seed ${seed}: ${frontier.count} URLs wait for nothing`);
          clock.now += Math.max(1, frontier.delay);
        }
      }
      while (taken.length > 0) frontier.release(taken.pop()!, 0);
      assert.equal(frontier.next(), 0);
    });
  });
}

test('a frontier goes on from a checkpoint, whatever was done since', () => {
  const directory = mkdtempSync(join(tmpdir(), 'drumline-frontier-'));
  const paths = {
    urls: (number: number) => join(directory, `urls-${number}`),
    sites: join(directory, 'sites'),
  };
  const clock = { now: 5000 };
  const open = (state?: FrontierState) =>
    new Frontier(nodeDisk, paths, {
      memoryBytes: 20_000,
      needsAddress: false,
      clock: () => clock.now,
      isSaved: true,
      state,
    });
  const random = randomizer(7);
  let frontier = open();
  let model = new Map<number, string[]>();
  const work = (steps: number, pushes = 3): void => {
    for (let step = 0; step < steps; step++) {
      if (random(5) < pushes) {
        const site = 1 + random(400);
        const text = `${site} ${step} ${'x'.repeat(random(200))}`;
        push(frontier, site, text);
        model.set(site, [...(model.get(site) ?? []), text]);
      } else {
        const handle = frontier.next();
        if (handle === 0) continue;
        const text = peek(frontier, handle);
        const queue = model.get(Number(text.split(' ')[0]))!;
        assert.equal(text, queue.shift());
        frontier.drop(handle);
        frontier.release(handle, clock.now + random(20));
        clock.now += 1;
      }
    }
  };
  try {
    for (let round = 0; round < 12; round++) {
      work(1500);
      // A site in somebody's hands, and a URL that is being fetched, are still there after a crash.
      const held = frontier.next();
      const sites: Buffer[] = [];
      const keep = (into: Buffer[]) => (bytes: Uint8Array, start: number, end: number) => {
        into.push(Buffer.from(bytes.slice(start, end)));
      };
      const entries: Buffer[] = [];
      const state = JSON.parse(JSON.stringify(frontier.save(keep(sites), keep(entries))));
      if (random(2) === 0) frontier.confirm();
      if (held !== 0) frontier.release(held, 0);
      const saved = structuredClone(model);
      work(800);
      frontier.close();
      // Another machine, whose clock shows less.
      clock.now = 100 * round;
      model = saved;
      frontier = open(state);
      const give = (from: Buffer[]) => (visit: (bytes: Uint8Array, start: number, end: number) => void) => {
        for (const record of from) visit(record, 0, record.length);
      };
      frontier.restore(state, give(sites), give(entries));
      assert.equal(
        frontier.count,
        [...model.values()].reduce((sum, queue) => sum + queue.length, 0),
      );
    }
    while (frontier.count > 0) {
      clock.now += 5;
      work(500, 0);
    }
  } finally {
    frontier.close();
    rmSync(directory, { recursive: true });
  }
});

test('sites come in turn, a delayed one when its time has come', () => {
  withFrontier(1e6, false, (frontier, clock) => {
    for (const text of ['1 a', '1 b', '2 a', '3 a']) push(frontier, Number(text[0]), text);
    const order: string[] = [];
    for (let i = 0; i < 3; i++) {
      const site = frontier.next();
      order.push(peek(frontier, site));
      frontier.drop(site);
      frontier.release(site, clock.now + 100);
    }
    assert.deepEqual(order, ['1 a', '2 a', '3 a']);
    assert.equal(frontier.next(), 0);
    assert.equal(frontier.delay, 100);
    clock.now += 100;
    assert.equal(peek(frontier, frontier.next()), '1 b');
  });
});

test('without URLs, or with sites whose address is not known, only other events help', () => {
  withFrontier(1e6, true, (frontier) => {
    assert.equal(frontier.delay, Number.POSITIVE_INFINITY);
    push(frontier, 1, '1 a');
    assert.equal(frontier.next(), 0);
    assert.equal(frontier.delay, Number.POSITIVE_INFINITY);
    frontier.setAddress(7919, 1, '192.0.2.1');
    assert.equal(frontier.delay, 0);
    assert.equal(frontier.addresses.get(frontier.next()), '192.0.2.1');
  });
});

test('a pause granted in an earlier life holds, wherever the site is', () => {
  for (const memoryBytes of [1 << 20, 4096]) {
    withFrontier(memoryBytes, false, (frontier, clock) => {
      const sites = 40;
      for (let site = 1; site <= sites; site += 2) push(frontier, site, `early ${site}`);
      for (let site = 1; site <= sites; site++) frontier.rest(site * 7919, site, 5000);
      for (let site = 2; site <= sites; site += 2) push(frontier, site, `late ${site}`);
      const seen: string[] = [];
      const takeAll = (): void => {
        for (let site = frontier.next(); site !== 0; site = frontier.next()) {
          seen.push(peek(frontier, site));
          frontier.drop(site);
          frontier.release(site, 0);
        }
      };
      takeAll();
      assert.deepEqual(seen, []);
      clock.now = 5000;
      while (frontier.count > 0) takeAll();
      assert.equal(seen.length, sites);
    });
  }
});

test('a site with which something was begun comes before those that wait for their turn, at its time', () => {
  withFrontier(100_000, false, (frontier, clock) => {
    for (let site = 1; site <= 4; site++) push(frontier, site, `${site} a`);
    const begun = frontier.next();
    frontier.releaseFirst(begun, clock.now + 10);
    const second = frontier.next();
    clock.now += 10;
    assert.equal(frontier.readySites, 3);
    assert.equal(frontier.next(), begun, 'before the two that were ready all the time');
    frontier.release(begun, 0);
    frontier.release(second, 0);
    const rest = [frontier.next(), frontier.next(), frontier.next(), frontier.next()];
    assert.deepEqual(rest.slice(2), [begun, second], 'in turn again');
    assert.equal(frontier.next(), 0);
  });
});

test('a site without URLs whose sitemap was read makes room for parked ones', () => {
  withFrontier(1000, false, (frontier) => {
    const MOST_IN_MEMORY = 16;
    for (let site = 1; site <= MOST_IN_MEMORY; site++) {
      push(frontier, site, `${site}`);
      const handle = frontier.next();
      frontier.drop(handle);
      frontier.release(handle, 0);
      frontier.notes.addSitemapUse(site * 7919, site, 1);
    }
    push(frontier, MOST_IN_MEMORY + 1, 'next');
    assert.equal(frontier.delay, 0);
    assert.equal(peek(frontier, frontier.next()), 'next');
  });
});
