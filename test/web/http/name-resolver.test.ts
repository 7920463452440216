import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LookUp, NameResolver, type NameResolverOptions } from '#drumline/web/http/name-resolver.js';
import { nameServer } from './name-server.js';

/** Looks up in a table, and keeps count. */
class Table {
  readonly asked: string[] = [];
  now = 0;
  /** Look-ups whose answer is held back. */
  readonly held: (() => void)[] = [];
  isHolding = false;
  readonly #answers: Record<string, readonly string[] | string>;
  readonly #ttl: number;

  /** `name 4` or `name 6` -> addresses, or a code. */
  constructor(answers: Record<string, readonly string[] | string>, ttl = 300) {
    this.#answers = answers;
    this.#ttl = ttl;
  }

  readonly lookup: LookUp = (host, family, done) => {
    const question = `${host} ${family}`;
    this.asked.push(question);
    const found = this.#answers[question] ?? 'ENODATA';
    const records = typeof found === 'string' ? [] : found.map((address) => ({ address, ttl: this.#ttl }));
    const answer = (): void => done(typeof found === 'string' ? found : '', records);
    if (this.isHolding) this.held.push(answer);
    else queueMicrotask(answer);
  };

  resolver(options: Partial<NameResolverOptions> = {}): NameResolver {
    const clock = (): number => this.now;
    const { lookup } = this;
    return new NameResolver({
      allowPrivate: false,
      memoryBytes: 1e6,
      clock,
      lookup,
      ...options,
    });
  }
}

function resolve(resolver: NameResolver, host: string): Promise<string> {
  return new Promise((done) => resolver.resolve(host, (address, failure) => done(address || failure)));
}

test('IPv4 first, IPv6 where there is none', async () => {
  const table = new Table({
    'both.test 4': ['1.1.1.1', '1.1.1.2'],
    'both.test 6': ['2606:4700::1'],
    'six.test 6': ['2606:4700::2'],
    'none.test 4': 'ENOTFOUND',
  });
  const resolver = table.resolver();
  assert.equal(await resolve(resolver, 'both.test'), '1.1.1.1');
  assert.equal(await resolve(resolver, 'six.test'), '2606:4700::2');
  assert.equal(await resolve(resolver, 'none.test'), 'DNS_NOT_FOUND');
  assert.equal(await resolve(resolver, 'empty.test'), 'DNS_NOT_FOUND');
  const asked = ['both.test 4', 'six.test 4', 'six.test 6', 'none.test 4', 'empty.test 4', 'empty.test 6'];
  assert.deepEqual(table.asked, asked);
});

test('private answers are refused, and passed over where there are others', async () => {
  const answers = {
    'inside.test 4': ['127.0.0.1', '10.0.0.1'],
    'mixed.test 4': ['192.168.0.1', '8.8.8.8'],
    'odd.test 4': ['169.254.169.254'],
    'odd.test 6': ['::ffff:10.0.0.1', '2606:4700::3'],
  };
  const resolver = new Table(answers).resolver();
  assert.equal(await resolve(resolver, 'inside.test'), 'PRIVATE_ADDRESS');
  assert.equal(await resolve(resolver, 'mixed.test'), '8.8.8.8');
  assert.equal(await resolve(resolver, 'odd.test'), '2606:4700::3');
  const open = new Table(answers).resolver({ allowPrivate: true });
  assert.equal(await resolve(open, 'inside.test'), '127.0.0.1');
});

test('addresses and localhost need no look-up', async () => {
  const table = new Table({});
  const [resolver, open] = [table.resolver(), table.resolver({ allowPrivate: true })];
  for (const host of ['127.0.0.1', '[::1]', 'localhost', 'LOCALHOST.', 'a.localhost', '[::ffff:10.0.0.1]']) {
    assert.equal(await resolve(resolver, host), 'PRIVATE_ADDRESS', host);
  }
  assert.equal(await resolve(resolver, '8.8.8.8'), '8.8.8.8');
  assert.equal(await resolve(resolver, '[2606:4700::1]'), '2606:4700::1');
  assert.equal(await resolve(open, 'localhost'), '127.0.0.1');
  assert.equal(await resolve(open, '[::1]'), '::1');
  assert.deepEqual(table.asked, []);
});

test('case and a trailing dot do not matter', async () => {
  const table = new Table({ 'a.test 4': ['1.1.1.1'] });
  const resolver = table.resolver();
  for (const host of ['a.test', 'A.Test', 'a.test.']) assert.equal(await resolve(resolver, host), '1.1.1.1');
  assert.equal(table.asked.length, 1);
});

test('answers are kept for their time, within bounds', async () => {
  const minute = 60_000;
  for (const [ttl, kept] of [
    [0, minute],
    [300, 5 * minute],
    [10_000_000, 24 * 60 * minute],
  ] as const) {
    const table = new Table({ 'a.test 4': ['1.1.1.1'] }, ttl);
    const resolver = table.resolver();
    await resolve(resolver, 'a.test');
    table.now = kept - 1;
    assert.equal(await resolve(resolver, 'a.test'), '1.1.1.1');
    assert.equal(table.asked.length, 1, `ttl ${ttl}`);
    table.now = kept;
    await resolve(resolver, 'a.test');
    assert.equal(table.asked.length, 2, `ttl ${ttl}`);
  }
});

test('a host whose second answer differs keeps the vetted address until its time is over', async () => {
  const answers: Record<string, string[]> = { 'a.test 4': ['1.1.1.1'] };
  const table = new Table(answers);
  const resolver = table.resolver();
  assert.equal(await resolve(resolver, 'a.test'), '1.1.1.1');
  answers['a.test 4'] = ['127.0.0.1'];
  assert.equal(await resolve(resolver, 'a.test'), '1.1.1.1');
  table.now = 300_000;
  assert.equal(await resolve(resolver, 'a.test'), 'PRIVATE_ADDRESS');
});

test('a failure that may pass is told at once, and never kept', async () => {
  const answers: Record<string, string[] | string> = {};
  for (const code of ['ESERVFAIL', 'ETIMEOUT', 'EREFUSED', 'ECONNREFUSED', 'EBADRESP', 'EFORMERR']) {
    answers['a.test 4'] = code;
    const table = new Table(answers);
    const resolver = table.resolver();
    assert.equal(await resolve(resolver, 'a.test'), 'DNS_FAILED', code);
    assert.equal(table.asked.length, 1);
    answers['a.test 4'] = ['1.1.1.1'];
    assert.equal(await resolve(resolver, 'a.test'), '1.1.1.1', code);
  }
});

test('100 look-ups at a time for new sites, and some more for those that were found before', () => {
  const table = new Table({});
  table.isHolding = true;
  const resolver = table.resolver();
  let answered = 0;
  let taken = 0;
  for (; resolver.canTakeNew; taken++) resolver.resolve(`${taken}.test`, () => answered++);
  assert.equal(taken, 100);
  for (; resolver.canTake; taken++) resolver.resolve(`${taken}.test`, () => answered++);
  assert.equal(taken, 128);
  assert.equal(resolver.underWay, 128);
  while (table.held.length > 0) table.held.shift()!();
  assert.deepEqual([answered, resolver.underWay, resolver.canTakeNew], [128, 0, true]);
});

test('a probe asks for a name that nobody asked for before, and takes any answer', async () => {
  const table = new Table({ 'a.test 4': ['1.1.1.1'] });
  const probe = (code: string): Promise<boolean> => {
    const resolver = table.resolver({
      lookup: (host, family, done) => {
        table.asked.push(`${host} ${family}`);
        done(code, []);
      },
    });
    return new Promise((done) => resolver.probe('a.test', done));
  };
  const answered = await Promise.all(['', 'ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'ETIMEOUT'].map(probe));
  assert.deepEqual(answered, [true, true, true, false, false]);
  assert.equal(new Set(table.asked).size, 5);
  for (const asked of table.asked) assert.match(asked, /^[0-9a-f]{16}\.a\.test 4$/);
});

test('questions about one host become one', async () => {
  const table = new Table({ 'a.test 4': ['1.1.1.1'] });
  const resolver = table.resolver();
  const answers = await Promise.all(['a.test', 'a.test', 'A.test.'].map((host) => resolve(resolver, host)));
  assert.deepEqual(answers, ['1.1.1.1', '1.1.1.1', '1.1.1.1']);
  assert.equal(table.asked.length, 1);
});

test('the cache stays within its bound, the oldest go first', async () => {
  const table = new Table(
    Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${i}.test 4`, ['1.1.1.1']])),
  );
  const resolver = table.resolver({ memoryBytes: 10 * 210 });
  for (let i = 0; i < 100; i++) await resolve(resolver, `${i}.test`);
  for (let i = 95; i < 100; i++) await resolve(resolver, `${i}.test`);
  assert.equal(table.asked.length, 100);
  await resolve(resolver, '50.test');
  assert.equal(table.asked.length, 101);
});

test('after close nothing is called back', async (t) => {
  const server = await nameServer(t, () => 'silence');
  const resolver = new NameResolver({
    ...{ allowPrivate: false, memoryBytes: 1e6, clock: () => 0 },
    servers: [server],
  });
  let calls = 0;
  resolver.resolve('a.test', () => calls++);
  resolver.probe('b.test', () => calls++);
  await new Promise((resolve) => setImmediate(resolve));
  resolver.close();
  // What was cancelled would have come by now.
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(calls, 0);
});

test('asks name servers', async (t) => {
  const server = await nameServer(t, (name, family) => {
    if (name === 'a.test') return family === 4 ? ['1.2.3.4', '5.6.7.8'] : [];
    if (name === 'six.test') return family === 6 ? ['2606:4700::1'] : [];
    if (name === 'inside.test') return family === 4 ? ['127.0.0.1'] : [];
    return name === 'broken.test' ? 'SERVFAIL' : 'NXDOMAIN';
  });
  const options = {
    allowPrivate: false,
    memoryBytes: 1e6,
    clock: () => 0,
    servers: [server],
  };
  const resolver = new NameResolver(options);
  assert.ok(['1.2.3.4', '5.6.7.8'].includes(await resolve(resolver, 'a.test')));
  assert.equal(await resolve(resolver, 'six.test'), '2606:4700::1');
  assert.equal(await resolve(resolver, 'inside.test'), 'PRIVATE_ADDRESS');
  assert.equal(await resolve(resolver, 'gone.test'), 'DNS_NOT_FOUND');
  assert.equal(await resolve(resolver, 'broken.test'), 'DNS_FAILED');
  assert.equal(
    await resolve(new NameResolver({ ...options, allowPrivate: true }), 'inside.test'),
    '127.0.0.1',
  );
});
