import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogLine } from '#drumline/log/log-line.js';
import { LogLines } from '#drumline/log/log-lines.js';
import { logFiles, mergeLogs, readLog } from '#drumline/log/merge-logs.js';
import { CrawlDirectory } from '#drumline/model/crawl-directory.js';
import type { Disk } from '#drumline/model/disk.js';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';
import { Random } from '#drumline/simulate/random.js';
import { CountingDisk } from './counting-disk.js';
import { TestLog } from './make-log.js';

function read(disk: Disk, path: string): LogLine[] {
  const lines = new LogLines(disk, path);
  const read: LogLine[] = [];
  while (lines.next()) read.push(lines.parse()!);
  lines.close();
  return read;
}

test('a request has its fields, and those without a value are left out', () => {
  const disk = new MemoryDisk();
  const made = new TestLog(disk, 'part', 3);
  made.request('https://h.example:8443/a?q=\\"', {
    started: 1000.9,
    ended: 2000.2,
    bytes: 12,
    type: 'text/html; charset="x"\u0001',
    location: '/é',
    depth: 2,
    via: 'http://g.example/\\',
    retries: 1,
    delay: 1500,
    digest: 'sha1:X',
    warc: 'warc/0.warc.gz',
    offset: 77,
  });
  made.request('http://[::1]/robots.txt', {
    kind: 'robots',
    ip: '',
    status: 0,
    reason: 'CONNECT',
    willRetry: true,
  });
  made.givenUp('http://h.example/b', 'ROBOTS', {
    now: 3000,
    detail: 'line 2: Disallow: /',
    via: 'http://h.example/',
  });
  made.siteGivenUp('http://gone.example/', 'DNS_NOT_FOUND', 4000);
  made.log.close();
  assert.deepEqual(read(disk, 'part'), [
    {
      time: '2030-01-31T00:00:02.000Z',
      agent: 3,
      kind: 'page',
      url: 'https://h.example:8443/a?q=\\"',
      host: 'h.example',
      ip: '192.0.2.1',
      started: Date.UTC(2030, 0, 31, 0, 0, 1),
      ended: Date.UTC(2030, 0, 31, 0, 0, 2),
      status: 200,
      bytes: 12,
      type: 'text/html; charset="x"\u0001',
      location: '/é',
      depth: 2,
      via: 'http://g.example/\\',
      retries: 1,
      delay: 1500,
      digest: 'sha1:X',
      warc: 'warc/0.warc.gz',
      offset: 77,
    },
    {
      time: '2030-01-31T00:00:00.001Z',
      agent: 3,
      kind: 'robots',
      url: 'http://[::1]/robots.txt',
      host: '[::1]',
      started: Date.UTC(2030, 0, 31),
      ended: Date.UTC(2030, 0, 31) + 1,
      status: 0,
      bytes: 0,
      depth: 0,
      delay: 0,
      reason: 'CONNECT',
      willRetry: true,
    },
    {
      time: '2030-01-31T00:00:03.000Z',
      agent: 3,
      kind: 'url',
      url: 'http://h.example/b',
      depth: 1,
      via: 'http://h.example/',
      reason: 'ROBOTS',
      detail: 'line 2: Disallow: /',
    },
    {
      time: '2030-01-31T00:00:04.000Z',
      agent: 3,
      kind: 'site',
      url: 'http://gone.example/',
      host: 'gone.example',
      reason: 'DNS_NOT_FOUND',
    },
  ]);
  assert.equal(disk.openFiles, 0);
});

test('the longest lines fit, many of them, and what is flushed is there', () => {
  const disk = new MemoryDisk();
  const made = new TestLog(disk, 'part');
  const url = `http://h.example/?${'\\'.repeat(2048 - 18)}`;
  const foreign = '\u0001'.repeat(5000);
  const count = 50;
  for (let i = 0; i < count; i++)
    made.request(url, {
      via: url,
      type: foreign,
      location: foreign,
      reason: foreign,
      digest: foreign,
      warc: foreign,
    });
  made.log.flush();
  const lines = read(disk, 'part');
  assert.equal(lines.length, count);
  for (const line of lines) assert.deepEqual([line.url, line.via, line.type?.length], [url, url, 300]);
  made.log.close();
});

test('a quote in a host, and addresses of any kind, leave a line JSON', () => {
  const disk = new MemoryDisk();
  const made = new TestLog(disk, 'part');
  made.request('http://a"b.example/x', { ip: 'fe80::1%"eth0' });
  made.siteGivenUp('http://"/', 'DNS_NOT_FOUND');
  made.givenUp('http://a"b.example:8080/', 'SCOPE_HOST');
  made.log.close();
  assert.deepEqual(
    read(disk, 'part').map(({ url, host, ip }) => [url, host, ip]),
    [
      ['http://a"b.example/x', 'a"b.example', 'fe80::1%"eth0'],
      ['http://"/', '"', undefined],
      ['http://a"b.example:8080/', undefined, undefined],
    ],
  );
});

test('the log holds no character that drives a terminal or reorders text', () => {
  const disk = new MemoryDisk();
  const made = new TestLog(disk, 'part');
  const foreign = '\u001b]0;\u0007\u009b2J\u007f\u202e\u2066é\u{e0041}"\\';
  made.request('http://h.example/', { type: foreign, location: foreign, reason: foreign });
  made.givenUp('http://h.example/', 'ROBOTS', { detail: foreign });
  made.log.close();
  const text = Buffer.from(disk.files().get('part')!).toString();
  assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
  const [request, givenUp] = read(disk, 'part');
  assert.deepEqual([request?.type, request?.location, givenUp?.detail], [foreign, foreign, foreign]);
});

test('a log that is opened again goes on after its last whole line', () => {
  for (const torn of [0, 1, 30, 100_000]) {
    const disk = new MemoryDisk();
    const first = new TestLog(disk, 'part');
    first.request('http://h.example/1');
    first.log.close();
    const bytes = disk.files().get('part')!;
    const tail = new TextEncoder().encode('{"time":"x'.padEnd(torn, '.').slice(0, torn));
    disk.put('part', Buffer.concat([bytes, tail]));
    assert.deepEqual(
      read(disk, 'part').map(({ url }) => url),
      ['http://h.example/1'],
      'a torn line is no line',
    );
    const second = new TestLog(disk, 'part');
    second.request('http://h.example/2');
    second.log.close();
    assert.deepEqual(
      read(disk, 'part').map(({ url }) => url),
      ['http://h.example/1', 'http://h.example/2'],
    );
  }
});

test('lines of any length up to the buffer are read, longer ones and damaged ones are counted', () => {
  const disk = new MemoryDisk();
  const lengths = [0, 1, 65_534, 65_535, 65_536, 200_000, 5, 65_535, 3];
  disk.put('log', Buffer.from(lengths.map((length) => `${'7'.repeat(length)}\n`).join('')));
  const lines = new LogLines(disk, 'log');
  const seen: number[] = [];
  while (lines.next()) seen.push(lines.end - lines.start);
  assert.deepEqual(seen, [0, 1, 65_534, 65_535, 5, 65_535, 3]);
  assert.equal(lines.damaged, 2);
  assert.ok(lines.seek(3));
  assert.deepEqual([lines.offset, lines.end - lines.start], [3, 65_534]);
  lines.close();
  disk.put('log', Buffer.from('{"a":1}\n{"a"\n'));
  const damaged = new LogLines(disk, 'log');
  assert.ok(damaged.next() && damaged.next());
  assert.equal(damaged.parse(), null);
  assert.equal(damaged.damaged, 1);
  damaged.close();
});

test('parts are merged by time, again and again', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = new Random(seed);
    const disk = new MemoryDisk();
    const directory = new CrawlDirectory('crawl');
    const expected: [time: number, url: string][] = [];
    let began = random.below(1e9);
    for (let session = 0; session < 3; session++) {
      let last = began;
      for (let agent = 0; agent < 1 + random.below(12); agent++) {
        const made = new TestLog(disk, directory.crawlLogPart(agent, session), agent);
        let now = began;
        for (let i = random.below(60); i > 0; i--) {
          now += 1 + random.below(100_000);
          const url = `http://h.example/${session}/${agent}/${i}`;
          made.givenUp(url, 'X', { now });
          expected.push([now, url]);
        }
        made.log.close();
        last = Math.max(last, now);
      }
      began = last;
      mergeLogs(disk, directory);
      assert.ok(!logFiles(disk, directory).includes(directory.crawlLog), 'the parts are newer');
    }
    const lines = read(disk, directory.crawlLog);
    const times = lines.map(({ time }) => time);
    assert.deepEqual(times, times.toSorted(), `seed ${seed}`);
    assert.deepEqual(
      lines.map(({ url }) => url).sort(),
      expected.map(([, url]) => url).sort(),
      `seed ${seed}`,
    );
    assert.equal(disk.openFiles, 0);
  }
});

test('many parts are merged with a bounded number of open files, and nothing else is left, even by a full disk', () => {
  const disk = new CountingDisk();
  const directory = new CrawlDirectory('crawl');
  const parts = 4200;
  for (let part = 0; part < parts; part++) {
    const made = new TestLog(disk, directory.crawlLogPart(part % 8, part >> 3), part % 8);
    for (const turn of [0, 1])
      made.givenUp(`http://h.example/${part}`, 'X', { now: turn * 10_000 + ((part * 37) % 5000) });
    made.log.close();
  }
  const names = [...disk.files().keys()];
  disk.put(directory.crawlLogRound(77), Buffer.from('of a crash'));
  disk.mostOpenFiles = 0;
  mergeLogs(disk, directory);
  assert.ok(disk.mostOpenFiles <= 65, `${disk.mostOpenFiles} open`);
  assert.deepEqual([...disk.files().keys()].sort(), [...names, directory.crawlLog].sort());
  const lines = read(disk, directory.crawlLog);
  assert.equal(lines.length, 2 * parts);
  const times = lines.map(({ time }) => time);
  assert.deepEqual(times, times.toSorted());
  disk.failAfter(40);
  assert.throws(() => mergeLogs(disk, directory), /full/);
  assert.equal(disk.openFiles, 0);
});

test('a damaged line keeps its place among the lines of its part', () => {
  const disk = new MemoryDisk();
  const directory = new CrawlDirectory('crawl');
  for (const agent of [0, 1]) {
    const made = new TestLog(disk, directory.crawlLogPart(agent, 0), agent);
    for (let i = 0; i < 3; i++) made.givenUp('http://h.example/', 'X', { now: 1000 * i + agent });
    made.log.close();
  }
  const path = directory.crawlLogPart(0, 0);
  const [first, second, third] = Buffer.from(disk.files().get(path)!).toString().split('\n');
  disk.put(
    path,
    Buffer.from(
      `${first}\n99999999999999999999999999999999999999\n${second?.replace('00:00:01', '0x:00:01')}\n${third}\n`,
    ),
  );
  mergeLogs(disk, directory);
  const merged = Buffer.from(disk.files().get(directory.crawlLog)!).toString().trimEnd().split('\n');
  const agents = merged.map((line) => /"agent":(\d)/.exec(line)?.[1] ?? '-').join('');
  assert.equal(agents, '0-01101');
});

test('a log whose parts are merged and removed while it is read is read again, from crawl.log', () => {
  const disk = new MemoryDisk();
  const directory = new CrawlDirectory('crawl');
  const part = directory.crawlLogPart(0, 0);
  const made = new TestLog(disk, part);
  made.givenUp('http://h.example/', 'X');
  made.log.close();
  const seen: (readonly string[])[] = [];
  const lines = readLog(disk, directory, (files) => {
    seen.push(files);
    if (seen.length === 1) {
      mergeLogs(disk, directory);
      disk.remove(part);
      throw Object.assign(new Error('gone'), { code: 'ENOENT' });
    }
    return files.flatMap((path) => read(disk, path));
  });
  assert.deepEqual(seen, [[part], [directory.crawlLog]]);
  assert.equal(lines?.length, 1);
  assert.equal(
    readLog(disk, new CrawlDirectory('nowhere'), () => assert.fail('nothing to read')),
    null,
  );
  const always = (): never => {
    throw Object.assign(new Error('gone'), { code: 'ENOENT' });
  };
  assert.throws(() => readLog(disk, directory, always), /gone/);
});
