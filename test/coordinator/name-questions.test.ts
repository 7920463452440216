import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { NameQuestions, type SiteNames } from '#drumline/coordinator/name-questions.js';
import { NameRetries } from '#drumline/coordinator/name-retries.js';
import { nodeDisk } from '#drumline/model/disk.js';
import { RECORD_HEADER, recordUrlEnd, SITE_ADDRESS, SITE_URL, writeHeader } from '#drumline/model/record.js';
import { SpillQueue } from '#drumline/spill/spill-queue.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

const SECOND = 1000;
const NXDOMAIN = 'DNS_NOT_FOUND';
const FAILED = 'DNS_FAILED';

/** Names whose answers come when the test says so. */
class Names implements SiteNames {
  readonly asked: string[] = [];
  readonly probed: string[] = [];
  /** An address or a code by host; '1.1.1.1' for all others. */
  readonly answers: Record<string, string> = {};
  isOut = false;
  #open: (() => void)[] = [];
  readonly #most: number;

  constructor(most = 100) {
    this.#most = most;
  }

  get canTake(): boolean {
    return this.#open.length < this.#most + 10;
  }

  get canTakeNew(): boolean {
    return this.#open.length < this.#most;
  }

  resolve(host: string, done: (address: string, failure: string) => void): void {
    this.asked.push(host);
    this.#open.push(() => {
      const answer = this.isOut ? FAILED : (this.answers[host] ?? '1.1.1.1');
      if (answer.startsWith('DNS_')) done('', answer);
      else done(answer, '');
    });
  }

  probe(host: string, done: (isAnswered: boolean) => void): void {
    this.probed.push(host);
    this.#open.push(() => done(!this.isOut && this.answers[host] !== FAILED));
  }

  /** Answers what was asked so far, and what is asked because of it. */
  answer(): void {
    while (this.#open.length > 0) {
      const open = this.#open;
      this.#open = [];
      for (const done of open) done();
    }
  }

  forget(): void {}
  close(): void {}
}

/** The questions of a coordinator, and what came of them. */
class Asker {
  readonly clock = { now: 0 };
  readonly names: Names;
  readonly said: string[] = [];
  /** In the order they came, with the time in seconds: `host address`, or `host code`. */
  readonly told: string[] = [];
  readonly questions: NameQuestions;

  constructor(t: TestContext, retries = 3, names = new Names()) {
    this.names = names;
    const directory = temporaryDirectory(t);
    const clock = (): number => this.clock.now;
    const queue = (name: string): SpillQueue => new SpillQueue(nodeDisk, join(directory, name), 8192);
    this.questions = new NameQuestions({
      ...{ names, retries, clock, wake: () => {}, say: (message) => this.said.push(message) },
      siteUrlList: queue('sites'),
      addressList: queue('addresses'),
      waiting: new NameRetries(nodeDisk, {
        ...{ retries, retryDelay: 5 * SECOND, clock, memoryBytes: 8192 },
        path: (i) => join(directory, `waiting-${i}`),
      }),
    });
  }

  add(host: string, type = SITE_URL): void {
    const url = Buffer.from(`http://${host}/`);
    const record = new Uint8Array(RECORD_HEADER + url.length);
    writeHeader(record, 0, type, 1, 1, 1, url.length);
    record.set(url, RECORD_HEADER);
    this.questions.add(record, 0, record.length);
  }

  /** Turns of the coordinator until nothing is left to do now. */
  turn(): void {
    for (let turns = 0; turns < 1000; turns++) {
      this.questions.askSome(1024);
      this.names.answer();
      this.questions.answer((record, address, failure) => {
        const url = Buffer.from(record.subarray(RECORD_HEADER, recordUrlEnd(record, 0, record.length)));
        this.told.push(`${new URL(url.toString()).hostname} ${failure || address}`);
      });
      if (!this.questions.hasWork) return;
    }
    assert.fail('there is always something to do');
  }

  /** Goes on to the next time at which something is due, until `end`. */
  until(end: number): void {
    this.turn();
    while (this.clock.now + this.questions.delay <= end) {
      this.clock.now += this.questions.delay;
      this.turn();
    }
    this.clock.now = end;
  }

  get waiting(): string[] {
    const hosts: string[] = [];
    this.questions.forEach((bytes, start, end) => {
      const url = Buffer.from(bytes.subarray(start + RECORD_HEADER, recordUrlEnd(bytes, start, end)));
      hosts.push(new URL(url.toString()).hostname);
    });
    return hosts.sort();
  }
}

test('a failure that passes refuses no site: SERVFAIL for 12 seconds', (t) => {
  const asker = new Asker(t);
  asker.names.answers['a.test'] = FAILED;
  asker.names.answers['gone.test'] = NXDOMAIN;
  for (const host of ['a.test', 'b.test', 'gone.test']) asker.add(host);
  asker.until(12 * SECOND);
  assert.deepEqual(asker.told, ['b.test 1.1.1.1', `gone.test ${NXDOMAIN}`]);
  assert.deepEqual(asker.waiting, ['a.test'], 'a checkpoint has it');
  assert.equal(asker.questions.count, 1, 'the crawl is not over');
  delete asker.names.answers['a.test'];
  asker.until(15 * SECOND);
  assert.deepEqual(asker.told.slice(2), ['a.test 1.1.1.1']);
  assert.deepEqual([asker.questions.count, asker.said], [0, []]);
});

test('after --retries the site is refused', (t) => {
  for (const retries of [0, 3]) {
    const asker = new Asker(t, retries);
    asker.names.answers['a.test'] = FAILED;
    asker.add('a.test');
    const last = retries === 0 ? 0 : (5 + 10 + 20) * SECOND;
    asker.until(last - 1);
    assert.deepEqual(asker.told, retries === 0 ? [`a.test ${FAILED}`] : []);
    asker.until(last);
    assert.deepEqual(asker.told, [`a.test ${FAILED}`]);
    assert.equal(asker.names.asked.length, retries + 1);
    assert.equal(asker.questions.count, 0);
  }
});

test('names that fail hold up no others', (t) => {
  const asker = new Asker(t);
  asker.names.answers['good.test'] = '1.1.1.1';
  asker.add('good.test');
  for (let i = 0; i < 3000; i++) {
    asker.names.answers[`bad${i}.test`] = FAILED;
    asker.add(`bad${i}.test`);
  }
  asker.until(5 * SECOND - 1);
  assert.equal(asker.names.asked.length, 3001);
  // They are due again; what is new is asked for in the same turns.
  asker.clock.now = 5 * SECOND;
  for (let i = 0; i < 100; i++) asker.add(`honest${i}.test`);
  asker.questions.askSome(1024);
  const lately = asker.names.asked.slice(3001);
  assert.equal(lately.filter((host) => host.startsWith('bad')).length, 25);
  assert.equal(lately.filter((host) => host.startsWith('honest')).length, 75);
  assert.deepEqual(asker.said, [], 'a thousand bad names are no outage');
  assert.ok(asker.names.probed.length < 3000 / 16 + 1);
});

test('an address is asked for again before all new sites', (t) => {
  const asker = new Asker(t, 3, new Names(4));
  for (let i = 0; i < 500; i++) asker.add(`new${i}.test`);
  asker.questions.askSome(1024);
  assert.equal(asker.names.asked.length, 4, 'all look-ups are under way');
  asker.add('known.test', SITE_ADDRESS);
  assert.ok(asker.questions.hasWork);
  asker.questions.askSome(1024);
  assert.equal(asker.names.asked.at(-1), 'known.test');
  asker.add('silent.test', SITE_ADDRESS);
  asker.names.answers['silent.test'] = FAILED;
  asker.turn();
  assert.ok(asker.told.includes(`silent.test ${FAILED}`), 'who asks goes on with what was known');
});

test('an outage is noticed and said once, and new sites wait until it is over', (t) => {
  const asker = new Asker(t);
  asker.add('good.test');
  asker.turn();
  asker.names.isOut = true;
  for (let i = 0; i < 1000; i++) asker.add(`site${i}.test`);
  asker.until(600 * SECOND);
  assert.deepEqual(asker.said, ['the name servers do not answer: new sites wait until they do']);
  assert.equal(asker.told.length, 1, 'none is refused, however long it takes');
  assert.equal(asker.questions.count, 1000);
  assert.equal(asker.waiting.length, 1000);
  assert.ok(asker.names.asked.length < 500, `${asker.names.asked.length} look-ups in ten minutes`);
  asker.names.isOut = false;
  asker.until(700 * SECOND);
  assert.equal(asker.told.filter((told) => told.endsWith(' 1.1.1.1')).length, 1001);
  assert.deepEqual(asker.said.slice(1), ['the name servers answer again']);
  assert.equal(asker.questions.count, 0);
});

test('an address that is asked for again ends an outage, too', (t) => {
  const asker = new Asker(t);
  asker.add('good.test');
  asker.turn();
  asker.names.isOut = true;
  for (let i = 0; i < 100; i++) asker.add(`site${i}.test`);
  asker.turn();
  assert.equal(asker.said.length, 1);
  asker.names.isOut = false;
  asker.add('good.test', SITE_ADDRESS);
  asker.turn();
  assert.equal(asker.said.length, 2);
});

test('where there never was an answer the crawl comes to its end', (t) => {
  const asker = new Asker(t);
  asker.names.isOut = true;
  for (let i = 0; i < 40; i++) asker.add(`site${i}.test`);
  asker.until(3600 * SECOND);
  assert.equal(asker.said.length, 1);
  assert.deepEqual(new Set(asker.told.map((told) => told.split(' ')[1])), new Set([FAILED]));
  assert.equal(asker.told.length, 40);
  assert.equal(asker.questions.count, 0);
});
