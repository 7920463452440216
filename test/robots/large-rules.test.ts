import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LargeRules } from '#drumline/robots/large-rules.js';
import type { RobotsLine } from '#drumline/robots/robots-text.js';
import { RuleSet } from '#drumline/robots/rule-set.js';
import { Random } from '#drumline/simulate/random.js';
import { Site } from './site.js';

const OCTETS = ['/', 'a', 'b', 'ab', '%2F', '!'];

function randomText(random: Random, pieces: readonly string[], most: number): string {
  let text = '/';
  for (let i = random.below(most); i > 0; i--) text += random.pick(pieces);
  return text;
}

function randomRules(random: Random): RobotsLine[] {
  const rules: RobotsLine[] = [];
  for (let line = 1 + random.below(60); line > 0; line--) {
    const pattern = randomText(random, [...OCTETS, '*', '*'], 6).replace(/\*+/g, '*');
    const start = random.chance(0.1) ? '*' : '';
    const end = random.chance(0.2) ? '$' : '';
    rules.push({ isAllow: random.chance(0.4), pattern: `${start}${pattern}${end}`, value: '', line });
  }
  return rules;
}

test('rules matched in one pass decide as robots-parser does, which tries them one by one', () => {
  let decided = 0;
  for (let seed = 1; seed <= 800; seed++) {
    const random = new Random(seed);
    const rules = randomRules(random);
    const set = new RuleSet({ rules, crawlDelay: 0 });
    const large = new LargeRules(rules);
    for (let i = 0; i < 12; i++) {
      const path = randomText(random, OCTETS, 8);
      const expected = set.find(path);
      const found = large.find(path);
      const message = `seed ${seed}: ${path}`;
      assert.equal(found?.isAllow, expected?.isAllow, message);
      assert.equal(found?.pattern.length, expected?.pattern.length, message);
      if (found !== null) decided++;
    }
  }
  assert.ok(decided > 2000, `${decided} decided`);
});

/** Seconds of this thread's processor for a number of verdicts about the longest URLs. */
function secondsFor(file: string, paths: readonly string[]): number {
  const site = new Site('drumline', 64 << 20);
  site.learn('http://h.example', `User-agent: *\n${file}`);
  const before = process.cpuUsage();
  for (const path of paths) site.verdict(`http://h.example/${path}`);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

test('the worst robots.txt costs milliseconds a URL: wildcards that match nearly everywhere, or rules without number', () => {
  const paths = Array.from({ length: 20 }, (_, i) => `${'%5B'.repeat(660)}${i}`);
  const wildcards = `Disallow: /${'*['.repeat(200)}x\n`.repeat(80);
  const many = Array.from({ length: 30_000 }, (_, i) => `Disallow: /${i}\n`).join('');
  for (const file of [wildcards, many]) {
    const seconds = secondsFor(file, paths);
    assert.ok(seconds < 1.5, `${seconds} s for ${paths.length} URLs`);
  }
});
