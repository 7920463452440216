import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { Random } from '#drumline/simulate/random.js';
import { ContentDecoder, codingsOf } from '#drumline/web/http/content-coding.js';

interface Decoded {
  readonly body: Buffer;
  readonly outcome: string;
}

const room = { extend: (_bytes: number, then: () => void): void => then(), adopt: (): void => {} };

function decoded(codings: string[], body: Uint8Array, isCut: boolean, bound: number): Promise<Decoded> {
  return new Promise((resolve) => {
    new ContentDecoder().decode(
      codings,
      { bytes: body, length: body.length, ...room },
      isCut,
      bound,
      (bytes, length, outcome) => {
        resolve({ body: Buffer.from(bytes.subarray(0, length)), outcome });
      },
    );
  });
}

const ENCODERS: [string, (body: Uint8Array) => Buffer][] = [
  ['gzip', (body) => gzipSync(body)],
  ['deflate', (body) => deflateSync(body)],
  ['deflate', (body) => deflateRawSync(body)],
  ['br', (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
];

test('names of codings', () => {
  assert.deepEqual(codingsOf('gzip'), ['gzip']);
  assert.deepEqual(codingsOf(' X-GZIP '), ['gzip']);
  assert.deepEqual(codingsOf('deflate, br'), ['br', 'deflate']);
  for (const none of ['identity', '', 'utf-8', 'none', 'binary']) assert.deepEqual(codingsOf(none), [], none);
  for (const bad of ['zstd', 'compress', 'gzip, gzip, gzip', 'gzip, zstd'])
    assert.equal(codingsOf(bad), null, bad);
});

test('any body comes back, cut where it passes the bound', async () => {
  const seed = 30;
  const numbers = new Random(seed);
  const random = (): number => numbers.word();
  for (let round = 0; round < 30; round++) {
    const length = random() % (round % 3 === 0 ? 200_000 : 3000);
    const letters = 1 + (random() % 256);
    const body = Buffer.from(Array.from({ length }, () => random() % letters));
    for (const [coding, encode] of ENCODERS) {
      const coded = encode(body);
      const message = `${coding}, ${length} bytes, seed ${seed}, round ${round}`;
      for (const bound of [length + 1, length, length >> 1]) {
        if (bound === 0) continue;
        const { body: got, outcome } = await decoded([coding], coded, false, bound);
        assert.equal(outcome, bound >= length ? 'whole' : 'truncated', `${message}, bound ${bound}`);
        assert.ok(got.equals(body.subarray(0, bound)), `${message}, bound ${bound}`);
      }
    }
  }
});

test('a bound of a few bytes cuts a body, and calls none damaged', async () => {
  const body = Buffer.from('abcdefgh'.repeat(20));
  for (const [coding, encode] of ENCODERS) {
    for (let bound = 1; bound < 70; bound++) {
      const { body: got, outcome } = await decoded([coding], encode(body), false, bound);
      assert.deepEqual(
        [outcome, got.toString()],
        ['truncated', body.toString('latin1', 0, bound)],
        `${coding} ${bound}`,
      );
    }
  }
});

test('what was cut before its end gives a beginning of the body', async () => {
  const seed = 31;
  const numbers = new Random(seed);
  const random = (): number => numbers.word();
  const body = Buffer.from(Array.from({ length: 60_000 }, () => random() % 64));
  for (const [coding, encode] of ENCODERS) {
    const coded = encode(body);
    for (const part of [coded.length >> 1, coded.length - 1]) {
      const { body: got, outcome } = await decoded([coding], coded.subarray(0, part), true, 50_000);
      assert.equal(outcome, 'truncated', coding);
      assert.ok(got.length > 10_000 && got.length <= 50_000, `${coding}: ${got.length} bytes`);
      assert.ok(got.equals(body.subarray(0, got.length)), coding);
    }
  }
});

test('damage is found where the coding can tell, and never throws', async () => {
  const seed = 32;
  const numbers = new Random(seed);
  const random = (): number => numbers.word();
  const body = Buffer.from('Some words of a page, and again some words of a page. '.repeat(40));
  for (const [coding, encode] of ENCODERS) {
    const coded = encode(body);
    for (let length = 1; length < coded.length; length++) {
      const { outcome } = await decoded([coding], coded.subarray(0, length), false, 10_000);
      assert.equal(outcome, 'bad', `${coding} cut to ${length} of ${coded.length}`);
    }
    for (let flips = 0; flips < 200; flips++) {
      const damaged = Buffer.from(coded);
      damaged[random() % damaged.length]! ^= 1 << (random() % 8);
      const { body: got, outcome } = await decoded([coding], damaged, false, 10_000);
      assert.ok(outcome !== 'bad' || got.length === 0, `${coding}, seed ${seed}`);
      assert.ok(got.length <= 10_000, `${coding}, seed ${seed}`);
    }
  }
});

test('large bodies are decoded one after the other', async () => {
  const decoder = new ContentDecoder();
  const order: number[] = [];
  await new Promise<void>((resolve) => {
    for (let i = 0; i < 5; i++) {
      const coded = gzipSync(Buffer.alloc(100_000, i));
      const body = { bytes: coded, length: coded.length, ...room };
      decoder.decode(['gzip'], body, false, 1000, (bytes, length, outcome) => {
        assert.deepEqual([length, outcome, bytes[999]], [1000, 'truncated', i]);
        if (order.push(i) === 5) resolve();
      });
    }
  });
  assert.deepEqual(order, [0, 1, 2, 3, 4]);
});

test('zeros may follow a gzip member, and other members', async () => {
  const body = Buffer.from('page');
  const padded = Buffer.concat([gzipSync(body), Buffer.alloc(9)]);
  assert.deepEqual(await decoded(['gzip'], padded, false, 1000), { body, outcome: 'whole' });
  const twice = await decoded(['gzip'], Buffer.concat([gzipSync(body), gzipSync(body)]), false, 1000);
  assert.equal(twice.body.toString(), 'pagepage');
});

test('what stands behind a good gzip body is passed over', async () => {
  const body = Buffer.from('User-agent: *\nDisallow: /secret\n');
  const named = Buffer.from(gzipSync(body));
  named[3] = 8 | 4;
  const headed = Buffer.concat([named.subarray(0, 10), Buffer.from('\x02\x00abname\0'), named.subarray(10)]);
  for (const good of [
    gzipSync(body),
    headed,
    Buffer.concat([gzipSync('User-'), gzipSync(body.subarray(5))]),
  ]) {
    for (const behind of ['garbage', '<!-- cached -->\n', '\x1f', '\x1f\x8c\x08']) {
      const got = await decoded(['gzip'], Buffer.concat([good, Buffer.from(behind, 'latin1')]), false, 1000);
      assert.deepEqual(got, { body, outcome: 'whole' }, JSON.stringify(behind));
    }
    const cut = await decoded(['gzip'], Buffer.concat([good, Buffer.from('garbage')]), true, 1000);
    assert.equal(cut.body.toString(), body.toString());
    assert.equal(
      (await decoded(['gzip'], Buffer.concat([good, Buffer.from('x')]), false, 10)).outcome,
      'truncated',
    );
  }
  // A member that is damaged is no garbage, and neither is one before it that lies.
  for (const at of [0, 12, -8, -1]) {
    const damaged = Buffer.concat([gzipSync(body), Buffer.from('garbage')]);
    damaged[at < 0 ? damaged.length - 7 + at : at]! ^= 1;
    assert.equal((await decoded(['gzip'], damaged, false, 1000)).outcome, 'bad', `byte ${at}`);
  }
});
