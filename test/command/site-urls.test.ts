import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseCommand } from '#drumline/command/commands.js';
import { siteOptions } from '#drumline/command/site-urls.js';

test('URLs behind the program or behind crawl are seeds, and the crawl stays on their hosts', () => {
  for (const words of [
    ['https://a.example/', 'b.example'],
    ['crawl', 'https://a.example/', 'b.example'],
  ]) {
    const [command, rest] = chooseCommand(words);
    assert.equal(command.name, 'crawl');
    assert.deepEqual(siteOptions(rest, []), [
      ['seed', 'https://a.example/'],
      ['seed', 'b.example'],
      ['same-host', null],
    ]);
  }
  assert.deepEqual(siteOptions(['a.example'], [['same-domain', null]]), [['seed', 'a.example']]);
  assert.deepEqual(siteOptions([], []), []);
});

test('words that are no URLs are commands, or mistyped', () => {
  assert.equal(chooseCommand([])[0].name, 'crawl');
  assert.equal(chooseCommand(['why', 'http://a.example/'])[0].name, 'why');
  assert.throws(() => chooseCommand(['crwal']), /unknown command 'crwal'/);
  assert.throws(() => siteOptions(['more'], []), /takes http or https URLs, got 'more'/);
});
