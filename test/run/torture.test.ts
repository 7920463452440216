import { test } from 'node:test';
import { torture } from './torture.js';

/** `npm run torture` sets these. */
const setting = (name: string, fallback: number): number =>
  Number(process.env[`TORTURE_${name.toUpperCase()}`] ?? fallback);

test('crawls that are killed at random moments and resumed end with every page once in the books', async () => {
  const kills = await torture({
    kills: setting('kills', 4),
    pages: setting('pages', 3000),
    agents: setting('agents', 3),
    seed: setting('seed', 1),
    interval: setting('interval', 100),
    longest: setting('longest', 1000),
    store: 'none',
    log: (line) => process.stdout.write(`# ${line}\n`),
  });
  process.stdout.write(`# ${kills} kills: every crawl exact\n`);
});

test('the single-machine crawler resumes, too', async () => {
  await torture({
    kills: setting('kills', 2),
    pages: setting('pages', 3000),
    agents: 0,
    seed: setting('seed', 1) + 1000,
    interval: setting('interval', 100),
    longest: setting('longest', 800),
    store: 'none',
    log: () => {},
  });
});

for (const agents of [setting('agents', 3), 0]) {
  test(`${agents} agents that store pages: each is stored once, whole, and indexed`, async () => {
    await torture({
      kills: setting('kills', 3),
      pages: setting('pages', 2000),
      agents,
      seed: setting('seed', 1) + 2000,
      interval: setting('interval', 100),
      longest: setting('longest', 900),
      store: 'warc',
      log: (line) => process.stdout.write(`# ${line}\n`),
    });
  });
}
