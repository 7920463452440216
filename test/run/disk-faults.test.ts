/** Every fault of the disk, in a sample; `npm run torture` tries them all. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crawlWithFault } from './disk-faults.js';

/** How many changes are tried of each crawl; all of them with `npm run torture`. */
const TRIES = Number(process.env['TORTURE_FAULTS'] ?? 2);
const KINDS = [
  { agents: 2, store: 'none', fault: 'fails' },
  { agents: 2, store: 'warc', fault: 'power cut' },
  { agents: 0, store: 'warc', fault: 'power cut' },
] as const;

for (const kind of KINDS) {
  const { agents, fault, store } = kind;
  test(`${agents} agents, store ${store}: the disk ${fault} at any change, and the crawl can be resumed`, async () => {
    const { changes, wrong } = await crawlWithFault({ ...kind, failAt: Number.POSITIVE_INFINITY });
    assert.equal(wrong, '');
    let hits = 0;
    const tries = Math.min(TRIES, changes);
    for (let i = 0; i < tries; i++) {
      const failAt = 1 + Math.floor(((i + 0.5) * changes) / tries);
      const outcome = await crawlWithFault({ ...kind, failAt });
      assert.equal(outcome.wrong, '', `change ${failAt} of about ${changes}`);
      if (outcome.wasHit) hits++;
    }
    process.stdout.write(
      `# ${agents} agents, store ${store}: ${hits} of ${tries} faults hit, every crawl exact\n`,
    );
    assert.ok(hits > 0, 'no fault was hit');
  });
}
