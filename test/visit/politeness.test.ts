import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { nodeDisk } from '#drumline/model/disk.js';
import { PAGE_URL, RECORD_HEADER, writeHeader } from '#drumline/model/record.js';
import {
  earlierPausesPath,
  forEachRest,
  gatherPauses,
  longPause,
  pauseFilePath,
} from '#drumline/throttle/earlier-pauses.js';
import { allocateHostTable, HostTable } from '#drumline/throttle/host-table.js';
import { allocateIpTable, IpTable } from '#drumline/throttle/ip-table.js';
import { PauseFile } from '#drumline/throttle/pause-file.js';
import { HostPoliteness, type HostPolitenessParts, publicDelay } from '#drumline/visit/politeness.js';
import { Visit } from '#drumline/visit/visit.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

const WALL = 1e12;

/** What a process has, and a clock that goes on when it is killed. */
class Process {
  readonly hosts = allocateHostTable(1 << 16, 1);
  readonly ips = allocateIpTable(4096, 0);
  readonly clock: { now: number };
  readonly directory: string;

  constructor(directory: string, clock = { now: 0 }) {
    this.directory = directory;
    this.clock = clock;
  }

  /** An agent's next life. */
  agent(more: Partial<HostPolitenessParts> = {}): HostPoliteness {
    const hosts = new HostTable(this.hosts, 0);
    hosts.beginLife(this.clock.now);
    const delays = { hostDelay: 1000, retryDelay: 5000, maxRetryAfter: 3_600_000, ...more.delays };
    return new HostPoliteness({
      ...{ ipDelay: 0, publicDelay: 0, timeout: 30_000, quietUntil: 0, clockOrigin: WALL },
      ips: new IpTable(this.ips),
      hosts,
      counters: { add: () => {} },
      file: new PauseFile(nodeDisk, pauseFilePath(this.directory, 0)),
      longPause: longPause(delays.hostDelay),
      clock: () => this.clock.now,
      ...more,
      delays,
    });
  }

  /** Milliseconds that a host rests by what is on disk, after `gather`. */
  restOf(host: number): number {
    let most = 0;
    const path = earlierPausesPath(this.directory);
    forEachRest(nodeDisk, path, WALL + this.clock.now, (low, _high, rest) => {
      if (low === host) most = Math.max(most, rest);
    });
    return most;
  }

  gather(): number {
    return gatherPauses(nodeDisk, this.directory, WALL + this.clock.now);
  }
}

function visitOf(host: number, crawlDelay = 0, address = '192.0.2.1'): Visit {
  const record = new Uint8Array(RECORD_HEADER + 9);
  writeHeader(record, 0, PAGE_URL, host, 1, host, 9);
  record.set(Buffer.from('http://h/'), RECORD_HEADER);
  const visit = new Visit();
  visit.take(1, address, record, 0, record.length);
  visit.crawlDelay = crawlDelay;
  return visit;
}

const processOf = (t: TestContext): Process => new Process(join(temporaryDirectory(t), 'pauses'));

test('an agent that died keeps Crawl-delay, Retry-After and --host-delay', (t) => {
  const process = processOf(t);
  const first = process.agent();
  const slow = visitOf(1, 5000);
  const busy = visitOf(2);
  for (const visit of [slow, busy, visitOf(3), visitOf(4, 60_000)]) assert.equal(first.reserve(visit, 0), 0);
  process.clock.now = 100;
  assert.equal(first.rest(slow, first.delayAfter(100, 5000, -1)), 5100);
  assert.equal(first.rest(busy, first.delayAfter(100, 0, 20_000)), 20_100);
  // It dies, with two requests under way.
  process.clock.now = 2000;
  const next = process.agent();
  assert.deepEqual(
    [1, 2, 3, 4].map((host) => next.reserve(visitOf(host), 2000)),
    [3100, 18_100, 1000, 60_000],
  );
  assert.equal(next.reserve(visitOf(5), 2000), 0, 'who was not asked may be');
  process.clock.now = 20_100;
  for (const host of [1, 2, 3]) assert.equal(next.reserve(visitOf(host), 20_100), 0);
});

test('a process that is killed leaves long pauses on disk, and how long the others were', (t) => {
  const { clock, directory } = processOf(t);
  const killed = new Process(directory, clock);
  const agent = killed.agent();
  const answered = visitOf(1, 30_000);
  const busy = visitOf(2);
  for (const visit of [answered, busy, visitOf(3, 25_000), visitOf(4)])
    assert.equal(agent.reserve(visit, 0), 0);
  clock.now = 1000;
  agent.rest(answered, 30_000);
  agent.rest(busy, agent.delayAfter(1000, 0, 20_000));
  clock.now = 4000;
  const resumed = new Process(directory, clock);
  assert.equal(resumed.gather(), 1024, 'all others rest as long as --host-delay');
  assert.equal(resumed.restOf(2), 17_000, 'Retry-After');
  assert.equal(resumed.restOf(3), 25_000, 'a request that was under way');
  assert.ok(resumed.restOf(1) >= 27_000, 'Crawl-delay');
  const patient = resumed.agent({ quietUntil: 5024 });
  assert.equal(patient.reserve(visitOf(4), 4000), 1024);
  assert.equal(patient.reserve(visitOf(4), 5024), 0);
});

test('--host-delay of 10 s and more holds when the process was killed before the first checkpoint', (t) => {
  const { clock, directory } = processOf(t);
  const delays = { hostDelay: 10_000, retryDelay: 0, maxRetryAfter: 0 };
  const agent = new Process(directory, clock).agent({ delays });
  assert.equal(agent.reserve(visitOf(1), 0), 0);
  clock.now = 1100;
  assert.equal(new Process(directory, clock).gather(), 10_000);
});

test('a host that has to wait for its address is not taken meanwhile', (t) => {
  const process = processOf(t);
  const agent = process.agent({ ipDelay: 250 });
  assert.equal(agent.reserve(visitOf(1), 0), 0);
  const second = visitOf(2);
  assert.equal(agent.reserve(second, 0), 250);
  assert.equal(second.cell, -1);
  assert.equal(agent.rest(second, 250), 250, 'the visit ends without a request');
  assert.equal(agent.reserve(second, 250), 0);
});

test('a visit with several requests has its host to itself, and none comes closer than the pause of an address', (t) => {
  const process = processOf(t);
  const agent = process.agent({ ipDelay: 250 });
  const visit = visitOf(1);
  assert.equal(agent.reserve(visit, 0), 0);
  assert.equal(agent.reserve(visit, 100), 150);
  assert.equal(agent.reserve(visit, 250), 0);
  assert.ok(agent.reserve(visitOf(1), 5000) > 0);
});

test('without a contact public addresses are not asked faster than by default, loopback is', (t) => {
  const given = { contact: '', 'host-delay': 0, 'ip-delay': 0 };
  assert.equal(publicDelay(given), 1000);
  assert.equal(publicDelay({ ...given, contact: 'me@example.org' }), 0);
  assert.equal(publicDelay({ ...given, 'host-delay': 1000, 'ip-delay': 250 }), 0, 'as by default');
  const politeness = processOf(t).agent({ publicDelay: publicDelay(given) });
  assert.deepEqual(
    ['1.1.1.1', '127.0.0.1', '10.0.0.1'].map((address, i) =>
      [1, 2].map((host) => politeness.reserve(visitOf(10 * i + host, 0, address), 10)),
    ),
    [
      [0, 1000],
      [0, 0],
      [0, 0],
    ],
  );
});

test('pauses are counted by what made them as long as they were', (t) => {
  const counted: [string, number][] = [];
  const process = processOf(t);
  const agent = process.agent({ ipDelay: 250, counters: { add: (name, ms) => counted.push([name, ms]) } });
  for (const [host, delay] of [
    [1, 1000],
    [2, 1001],
  ] as const) {
    const visit = visitOf(host, 0, `10.0.0.${host}`);
    assert.equal(agent.reserve(visit, 0), 0);
    agent.rest(visit, delay);
  }
  assert.equal(agent.reserve(visitOf(3, 0, '10.0.0.1'), 100), 150);
  assert.deepEqual(counted, [
    ['hostDelayMs', 1000],
    ['askedMs', 1001],
    ['ipDelayMs', 150],
  ]);
});
