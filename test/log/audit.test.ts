import assert from 'node:assert/strict';
import { test } from 'node:test';
import { audit } from '#drumline/log/audit.js';
import { urlHistory } from '#drumline/log/url-history.js';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';
import { Random } from '#drumline/simulate/random.js';
import { CountingDisk } from './counting-disk.js';
import { ORIGIN, TestLog } from './make-log.js';

const DELAYS = { hostDelay: 1000, ipDelay: 250 };

interface Request {
  readonly host: string;
  readonly ip: string;
  readonly started: number;
  readonly ended: number;
  readonly delay: number;
}

function logOf(disk: MemoryDisk, path: string, requests: readonly Request[]): void {
  const made = new TestLog(disk, path);
  for (const { host, ...fields } of requests) made.request(`http://${host}/${fields.started}`, fields);
  made.givenUp('http://h.example/', 'SCOPE_HOST');
  made.log.close();
}

const at = (started: number, ended: number, host = 'a.example', ip = '192.0.2.1', delay = 1000): Request => ({
  host,
  ip,
  started,
  ended,
  delay,
});

function auditOf(requests: readonly Request[]) {
  const disk = new MemoryDisk();
  logOf(disk, 'log', requests);
  return audit(disk, ['log'], DELAYS, 'rows');
}

test('a polite crawl has no violations, and its smallest gaps are named', () => {
  const result = auditOf([
    at(0, 100),
    at(300, 400, 'b.example'),
    at(1100, 1200),
    at(1500, 1600, 'b.example'),
    at(2205, 2300),
  ]);
  assert.equal(result.violations, 0);
  assert.deepEqual([result.requests, result.hosts, result.addresses], [5, 2, 1]);
  assert.deepEqual(result.perHost, {
    pairs: 3,
    closest: {
      receiver: 'a.example',
      url: 'http://a.example/1100',
      started: ORIGIN + 1100,
      gap: 1000,
      delay: 1000,
    },
  });
  assert.deepEqual(result.perAddress.closest?.gap, 300);
  assert.deepEqual(result.perSlowHost, { pairs: 0, closest: null });
});

test('requests too early, at once, and too soon for a longer delay are violations', () => {
  assert.equal(auditOf([at(0, 100), at(1099, 1200)]).violations, 1);
  assert.equal(auditOf([at(0, 5000), at(1500, 1600, 'a.example', '192.0.2.2')]).named[0]?.gap, -3500);
  const slow = auditOf([at(0, 100, 'a.example', '192.0.2.1', 5000), at(3000, 3100)]);
  assert.deepEqual(
    [slow.violations, slow.perSlowHost.closest?.gap, slow.perSlowHost.closest?.delay],
    [1, 2900, 5000],
  );
  const address = auditOf([at(0, 9000), at(100, 200, 'b.example'), at(350, 400, 'c.example')]);
  assert.deepEqual(
    address.named.map(({ receiver, gap }) => [receiver, gap]),
    [['192.0.2.1', 100]],
  );
  const overlapped = auditOf([at(0, 9000), at(2000, 2100), at(3500, 3600)]);
  assert.equal(overlapped.violations, 2, 'the long request still runs when the third starts');
});

test('random logs are audited as by sorting them, in any memory and from several files', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = new Random(seed);
    const disk = new MemoryDisk();
    const requests: Request[] = [];
    for (let i = random.below(400); i > 0; i--) {
      const started = random.below(200_000);
      const host = random.below(40);
      requests.push(
        at(
          started,
          started + random.below(500),
          `h${host}.example`,
          `10.0.0.${host % 7}`,
          random.pick([0, 1000, 3000]),
        ),
      );
    }
    const cut = random.below(requests.length + 1);
    logOf(disk, 'one', requests.slice(0, cut));
    logOf(disk, 'two', requests.slice(cut));
    const expected = slowly(requests);
    for (const mostRows of [7, 100, 1 << 20]) {
      const result = audit(disk, ['one', 'two'], DELAYS, 'rows', mostRows);
      const { closest } = result.perAddress;
      assert.deepEqual(
        {
          requests: result.requests,
          hosts: result.hosts,
          addresses: result.addresses,
          violations: result.violations,
          closest: closest?.gap ?? null,
        },
        expected,
        `seed ${seed}, ${mostRows} rows`,
      );
      assert.equal(disk.openFiles, 0);
      assert.deepEqual([...disk.files().keys()], ['one', 'two'], 'nothing is left behind');
    }
  }
});

function groupBy(requests: readonly Request[], name: (request: Request) => string): Map<string, Request[]> {
  const groups = new Map<string, Request[]>();
  for (const request of requests) groups.set(name(request), [...(groups.get(name(request)) ?? []), request]);
  return groups;
}

function slowly(requests: readonly Request[]) {
  const sorted = requests.toSorted((a, b) => a.started - b.started || a.ended - b.ended);
  const hosts = groupBy(sorted, ({ host }) => host);
  const addresses = groupBy(sorted, ({ ip }) => ip);
  let violations = 0;
  let closest: number | null = null;
  for (const group of hosts.values()) {
    for (const [i, { started }] of group.entries()) {
      if (i === 0) continue;
      const end = Math.max(...group.slice(0, i).map(({ ended }) => ended));
      if (started < end + Math.max(DELAYS.hostDelay, group[i - 1]!.delay)) violations++;
    }
  }
  for (const group of addresses.values()) {
    for (const [i, { started }] of group.entries()) {
      if (i === 0) continue;
      const gap = started - group[i - 1]!.started;
      if (gap < DELAYS.ipDelay) violations++;
      closest = Math.min(closest ?? gap, gap);
    }
  }
  return { requests: requests.length, hosts: hosts.size, addresses: addresses.size, violations, closest };
}

test('many violations are counted, and some of them named', () => {
  const result = auditOf(Array.from({ length: 3000 }, (_, i) => at(i, i + 1)));
  assert.equal(result.violations, 2 * 2999);
  assert.equal(result.named.length, 1000);
});

test('the log of a crawl with more than 1,024 parts is audited, and violations of each part are named', () => {
  const disk = new MemoryDisk();
  const parts = Array.from({ length: 1100 }, (_, part) => {
    logOf(
      disk,
      `part-${part}`,
      part % 100 === 99 ? [] : [at(part * 1000, part * 1000 + 10, `h${part % 7}.example`)],
    );
    return `part-${part}`;
  });
  const last = 1098;
  logOf(disk, `part-${last}`, [at(last * 1000 + 20, last * 1000 + 30, `h${last % 7}.example`, '192.0.2.9')]);
  const result = audit(disk, parts, DELAYS, 'rows', 100);
  assert.deepEqual([result.requests, result.hosts, result.violations], [1090, 7, 1]);
  assert.deepEqual(result.named[0], {
    receiver: `h${last % 7}.example`,
    url: `http://h${last % 7}.example/${last * 1000 + 20}`,
    started: ORIGIN + last * 1000 + 20,
    gap: 10,
    delay: 1000,
  });
});

test('however many sorted runs there are, one file is open for them, which leaves nothing behind', () => {
  const disk = new CountingDisk();
  logOf(
    disk,
    'log',
    Array.from({ length: 3000 }, (_, i) => at(i * 2000, i * 2000 + 1, `h${i % 11}.example`)),
  );
  const result = audit(disk, ['log'], DELAYS, 'rows', 4);
  assert.deepEqual([result.requests, result.violations, disk.mostOpenFiles], [3000, 0, 2]);
  assert.equal(disk.openFiles, 0);
  assert.deepEqual([...disk.files().keys()], ['log']);
});

test('audit and why read on past damaged lines, and count them', () => {
  const good = new MemoryDisk();
  logOf(good, 'log', [at(0, 100), at(1100, 1200), at(2200, 2300)]);
  const lines = Buffer.from(good.files().get('log')!).toString().trimEnd().split('\n');
  const url = 'http://a.example/1100';
  const damages = [
    (line: string) => line.slice(0, 40),
    (line: string) => `${line.slice(0, 40)}}`,
    (line: string) => line.replace('"started":', '"started":"'),
    (line: string) => line.replace(/"started":\d+/, '"started":"x"'),
    (line: string) => '\0'.repeat(line.length),
    () => 'null',
    () => 'x'.repeat(100_000),
    () => '',
  ];
  for (const [i, damage] of damages.entries()) {
    const disk = new MemoryDisk();
    const [first, second, ...rest] = lines;
    disk.put('log', Buffer.from(`${[first, damage(second!), ...rest].join('\n')}\n`));
    const { damagedLines, requests, seenUntil } = audit(disk, ['log'], DELAYS, 'rows');
    const until = new Date(ORIGIN + 2300).toISOString();
    assert.deepEqual([damagedLines, requests, seenUntil], [1, 2, until], `damage ${i}`);
    const history = urlHistory(disk, ['log'], url, 'a.example');
    assert.equal(history.last, null);
    assert.equal(history.reach.seenUntil, until);
    // What looks like a line about another URL is not read whole.
    assert.ok(history.reach.damagedLines <= 1);
    assert.equal(urlHistory(disk, ['log'], 'http://a.example/2200', 'a.example').requests, 1);
    assert.equal(disk.openFiles, 0);
  }
  assert.equal(urlHistory(good, ['log'], url, 'a.example').reach.damagedLines, 0);
});
