import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  LEFT_OUT,
  PAGE_URL,
  RECORD_HEADER,
  recordDepth,
  recordType,
  recordVia,
  setDepths,
  writeHeader,
  writeVia,
} from '#drumline/model/record.js';
import { readCrawlOptions } from '#drumline/options/read-options.js';
import { LeftOutLoggers } from '#drumline/route/left-out.js';
import { RecordScope } from '#drumline/route/record-scope.js';
import { SCOPE_REASONS, Scope } from '#drumline/scope/scope.js';

const encoder = new TextEncoder();
const url = encoder.encode('http://a.example/x');
const via = encoder.encode('http://a.example/from');

function recordOf(key: number): Uint8Array {
  const bytes = new Uint8Array(200);
  writeHeader(bytes, 0, PAGE_URL, 1, 1, key, 2);
  setDepths(bytes, 0, 7, 3);
  bytes.set(url, RECORD_HEADER);
  return bytes.slice(0, writeVia(bytes, 0, RECORD_HEADER + url.length, via, 0, via.length));
}

test('one agent logs a URL that is left out, and the same one whoever finds it', () => {
  for (let key = 0; key < 6; key++) {
    const told: number[] = [];
    const own: number[] = [];
    const record = recordOf(key);
    for (let self = 0; self < 3; self++) {
      const loggers = new LeftOutLoggers(self, 3, (to) => told.push(to));
      if (!loggers.tell(record, 0, record.length, 'SCOPE_EXCLUDE')) own.push(self);
    }
    assert.deepEqual(own, [key % 3]);
    assert.deepEqual(told, [key % 3, key % 3]);
  }
});

test('each reason goes along with the URL, its depth and its page, and holds whatever the scope is there', () => {
  const everything = new RecordScope(new Scope(readCrawlOptions([]), []), 100);
  for (const reason of [...Object.keys(SCOPE_REASONS), 'DEPTH_PER_SITE']) {
    let sent = new Uint8Array(0);
    const loggers = new LeftOutLoggers(0, 2, (_to, bytes, start, end) => {
      sent = bytes.slice(start, end);
    });
    const record = recordOf(1);
    assert.equal(everything.check(record, 0, record.length), '');
    assert.ok(loggers.tell(record, 0, record.length, reason));
    assert.equal(recordType(sent, 0), LEFT_OUT);
    assert.equal(recordDepth(sent, 0), 7);
    assert.equal(recordVia(sent, 0, sent.length), 'http://a.example/from');
    assert.equal(everything.check(sent, 0, sent.length), reason);
  }
});
