import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { AgentCounters, allocateCounters } from '#drumline/model/counters.js';
import { startProgress } from '#drumline/monitor/progress.js';
import { alignColumns } from '#drumline/monitor/summary.js';

const PAUSES = {
  hostDelayMs: '--host-delay 1s',
  ipDelayMs: '--ip-delay 250ms',
  askedMs: 'pauses that hosts asked for',
};

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
  const progress = startProgress('plain', {
    counters: counters(2),
    expected: 10_000,
    pauses: PAUSES,
    stream,
  });
  progress.tick();
  progress.stop();
  assert.match(text(), /3,000 of 10,000 pages, .*pages\/s, .*\/s, queue 14\n$/);
});

for (const columns of [40, 60, 80, 200]) {
  test(`bars fit a terminal of ${columns} columns, one for each agent and a total`, (context) => {
    context.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    const { stream, text } = terminal(columns);
    const progress = startProgress('bar', {
      counters: counters(3),
      expected: 10_000,
      pauses: PAUSES,
      stream,
    });
    for (let i = 0; i < 10; i++) context.mock.timers.tick(100);
    progress.stop();
    const lines = stripVTControlCharacters(text().replaceAll('\u001b[1G', '\n')).split(/[\r\n]+/);
    for (const line of lines) assert.ok(line.length <= columns, `${line.length}: ${line}`);
    assert.match(text(), /6,000/);
    for (const pages of ['1,000', '2,000', '3,000']) assert.ok(text().includes(pages), pages);
  });
}

test('what limits the crawl is said while it does', () => {
  const { stream, text } = terminal(80);
  const all = counters(1);
  const progress = startProgress('plain', { counters: all, expected: null, pauses: PAUSES, stream });
  const [one] = all;
  one!.lap('asleep');
  one!.add('heldMs', one!.get('asleep'));
  one!.add('ipDelayMs', 2);
  one!.add('hostDelayMs', 1);
  progress.tick();
  progress.tick();
  progress.stop();
  assert.match(text(), /queue 7, limited by --ip-delay 250ms\n.*queue 7\n$/);
});

test('none shows nothing', () => {
  const { stream, text } = terminal(80);
  startProgress('none', { counters: counters(1), expected: null, pauses: PAUSES, stream }).stop();
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
