import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { AgentCounters, allocateCounters } from '#drumline/model/counters.js';
import { startProgress } from '#drumline/monitor/progress.js';
import { alignColumns } from '#drumline/monitor/summary.js';

/** A terminal of the given width that keeps what is written to it. */
function terminal(columns: number) {
  const stream = Object.assign(new PassThrough(), {
    isTTY: true,
    columns,
    rows: 24,
    cursorTo: () => true,
    moveCursor: () => true,
    clearLine: () => true,
  });
  let text = '';
  stream.on('data', (chunk) => {
    text += chunk;
  });
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => text };
}

function counters(agents: number): AgentCounters[] {
  const memory = allocateCounters(agents);
  return Array.from({ length: agents }, (_, i) => {
    const one = new AgentCounters(memory, i);
    one.add('pages', 1000 * (i + 1));
    one.add('bytes', 22_300_000);
    one.set('queued', 7);
    return one;
  });
}

test('plain lines say pages, speed, rate and queue', () => {
  const { stream, text } = terminal(80);
  const progress = startProgress('plain', { counters: counters(2), expected: 10_000, stream });
  progress.tick();
  progress.stop();
  assert.match(text(), /3,000 of 10,000 pages, .*pages\/s, .*\/s, queue 14\n$/);
});

for (const columns of [40, 60, 80, 200]) {
  test(`bars fit a terminal of ${columns} columns, one for each agent and a total`, (context) => {
    context.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    const { stream, text } = terminal(columns);
    const progress = startProgress('bar', { counters: counters(3), expected: 10_000, stream });
    for (let i = 0; i < 10; i++) context.mock.timers.tick(100);
    progress.stop();
    const lines = stripVTControlCharacters(text().replaceAll('\u001b[1G', '\n')).split(/[\r\n]+/);
    for (const line of lines) assert.ok(line.length <= columns, `${line.length}: ${line}`);
    assert.match(text(), /6,000/);
    for (const pages of ['1,000', '2,000', '3,000']) assert.ok(text().includes(pages), pages);
  });
}

test('none shows nothing', () => {
  const { stream, text } = terminal(80);
  startProgress('none', { counters: counters(1), expected: null, stream }).stop();
  assert.equal(text(), '');
});

test('columns are aligned: labels to the left, values to the right', () => {
  assert.equal(
    alignColumns([
      ['a', '1', 'one'],
      ['long', '200'],
    ]),
    '  a       1  one\n  long  200',
  );
});
