import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '#drumline/model/errors.js';
import { openWeb } from '#drumline/web/open-web.js';
import { formatSyntheticSpec, parseSyntheticSpec } from '#drumline/web/synthetic-spec.js';

test('every key has its default', () => {
  assert.deepEqual(parseSyntheticSpec('synthetic'), {
    pages: 100_000,
    sites: 2000,
    seed: 1,
    links: 40,
    intra: 0.9,
    size: 22_300,
    dead: 0,
    redirects: 0,
    robots: 0,
  });
  assert.equal(parseSyntheticSpec('synthetic:pages=49').sites, 1);
  assert.equal(parseSyntheticSpec('synthetic:pages=5000').sites, 100);
});

test('the spec spelled out opens the same web', () => {
  const spec = 'synthetic:seed=7,pages=1e3,intra=0.25,dead=0.0000001';
  const web = openWeb(spec);
  assert.equal(
    web.spec,
    'synthetic:pages=1000,sites=20,seed=7,links=40,intra=0.25,size=22300,dead=1e-7,redirects=0,robots=0',
  );
  assert.equal(openWeb(web.spec).spec, web.spec);
  assert.deepEqual(parseSyntheticSpec(web.spec), parseSyntheticSpec(spec));
  assert.equal(formatSyntheticSpec(parseSyntheticSpec(spec)), web.spec);
});

const REFUSED: [spec: string, named: string[]][] = [
  ['synthetic:pages=0', ['pages', "'0'", 'between 1 and']],
  ['synthetic:pages=ten', ['pages', "'ten'", 'whole number']],
  ['synthetic:pages=1.5', ['pages', "'1.5'", 'whole number']],
  ['synthetic:pages=-3', ['pages', "'-3'"]],
  ['synthetic:pages', ['pages', "''"]],
  ['synthetic:pages=10,sites=11', ['sites', "'11'", 'between 1 and 10']],
  ['synthetic:sites=0', ['sites', "'0'"]],
  ['synthetic:intra=1.1', ['intra', "'1.1'", 'between 0 and 1']],
  ['synthetic:dead=lots', ['dead', "'lots'"]],
  ['synthetic:links=0', ['links', "'0'"]],
  ['synthetic:size=Infinity', ['size', "'Infinity'"]],
  ['synthetic:colour=red', ["'colour'", 'pages, sites, seed, links']],
  ['synthetic:pages=1,pages=2', ['pages', 'twice']],
  ['synthetic:,', ["''", 'pages, sites']],
  ['synthetic:toString=1', ["'toString'"]],
  ['http', ['http', 'only a crawl', 'disk:DIR']],
  ['disk:', ["'disk:'", 'disk:DIR']],
  ['gopher', ["'gopher'", 'synthetic']],
];

for (const [spec, named] of REFUSED) {
  test(`--web ${spec} is refused on one line`, () => {
    assert.throws(
      () => openWeb(spec),
      (error) => {
        assert.ok(error instanceof UsageError);
        assert.ok(!error.message.includes('\n'));
        for (const part of ['--web', ...named]) assert.ok(error.message.includes(part), error.message);
        return true;
      },
    );
  });
}
