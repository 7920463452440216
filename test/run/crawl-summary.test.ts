import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolitenessShare } from '#drumline/monitor/politeness-limit.js';
import { summarise } from '#drumline/run/crawl-summary.js';
import { pauseNames } from '#drumline/run/pause-names.js';
import type { Report } from '#drumline/run/report.js';

const PAUSES = pauseNames({ 'host-delay': 1000, 'ip-delay': 250 });

function report(politeness: PolitenessShare): Report {
  const numbers = {
    seconds: 1,
    cpuSeconds: 1,
    peakRssBytes: 1,
    pages: 3,
    bytes: 1,
    pagesPerSecond: 3,
    sites: 1,
  };
  const exchange = { linksExtracted: 0, communicationOverhead: 0, drum: { pageUrl: { checks: 0 } } };
  const left = { answers: { '4xx': 2, '2xx': 1000 }, errors: { ROBOTS: 1, HTTP_404: 2 } };
  const kind = {
    web: 'http',
    outcome: 'exhausted',
    agents: 1,
    coverage: null,
    reachablePages: null,
    overlap: 0,
  };
  return { ...kind, ...numbers, ...exchange, ...left, politeness } as unknown as Report;
}

test('the summary lists classes of status, and what limits the crawl if politeness does', () => {
  const limited = summarise(report({ share: 0.873, by: 'ipDelayMs' }), 'out', PAUSES);
  assert.match(limited, /\n {2}answers +1,002 {2}2xx 1,000, 4xx 2\n/);
  assert.match(limited, /\n {2}left out +3 {2}HTTP_404 2, ROBOTS 1\n/);
  assert.match(limited, /\n {2}left alone +87% {2}of the time, hosts rested: limited by --ip-delay 250ms\n/);
  assert.doesNotMatch(summarise(report({ share: 0.49, by: 'ipDelayMs' }), 'out', PAUSES), /limited by/);
  assert.doesNotMatch(summarise(report({ share: 0, by: null }), 'out', PAUSES), /limited by/);
});
