import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyMemory } from '#drumline/web/http/body-memory.js';
import { HttpExchange } from '#drumline/web/http/http-exchange.js';

/** An exchange over a connection that had served a response before; `ended` counts how often the owner heard of its end. */
function begun() {
  const ends: string[] = [];
  const exchange = new HttpExchange(
    {
      now: 0,
      memory: new BodyMemory(1e6),
      isWantedType: () => true,
      ended: ({ failure }) => ends.push(failure),
    },
    { path: '/', takesAnyType: true, bound: 1e6, done: () => {} },
  );
  const client = {
    served: 1,
    statusLine: { text: 'HTTP/1.1 200 OK', await: () => {} },
    input: { isBody: false },
  };
  exchange.begin(client as never);
  return { ends, exchange };
}

test('a connection that comes when the exchange is over is given up, and nothing is sent', () => {
  const { ends, exchange } = begun();
  assert.equal(exchange.stop('TIMEOUT'), false);
  let aborts = 0;
  exchange.onConnect(() => aborts++);
  assert.equal(aborts, 1);
  assert.equal(exchange.phase, 'ended');
  exchange.onError(new Error('aborted'));
  assert.deepEqual(ends, ['TIMEOUT']);
});

test('headers that come when the exchange is over change nothing of it', () => {
  const { ends, exchange } = begun();
  exchange.onConnect(() => {});
  exchange.stop('TIMEOUT');
  assert.equal(
    exchange.onHeaders(200, [], () => {}),
    true,
  );
  assert.deepEqual([exchange.phase, exchange.status, exchange.failure], ['ended', 0, 'TIMEOUT']);
  exchange.onComplete();
  assert.deepEqual(ends, ['TIMEOUT']);
});
