/** The report as a person reads it at the end of a crawl. */
import { formatBytes, formatCount, formatDuration } from '../model/quantity.js';
import { LIMITING, type Pause } from '../monitor/politeness-limit.js';
import { alignColumns } from '../monitor/summary.js';
import type { Report } from './report.js';

const OUTCOME_TEXT: Record<Report['outcome'], string> = {
  exhausted: 'nothing is left to crawl',
  target: 'the target number of pages was reached',
  duration: 'the time was up',
  bytes: 'the number of bytes was reached',
  interrupted: 'interrupted',
  failed: 'failed',
};

/** `pauses` names what asked for pauses. */
export function summarise(
  report: Report,
  directory: string,
  pauses: Readonly<Record<Pause, string>>,
): string {
  const perSecond = report.seconds > 0 ? report.bytes / report.seconds : 0;
  const cpuPerPage = report.pages > 0 ? (report.cpuSeconds * 1e6) / report.pages : 0;
  const found = report.reachablePages === null ? '' : `of ${formatCount(report.reachablePages)} reachable`;
  const rows: [string, string, string?][] = [
    ['pages', formatCount(report.pages), found],
    [
      'speed',
      `${formatCount(report.pagesPerSecond)}/s`,
      `${formatBytes(perSecond)}/s in ${formatDuration(report.seconds)}`,
    ],
    [
      'coverage',
      report.coverage === null ? 'unknown' : report.coverage.toFixed(3),
      'distinct pages / reachable pages',
    ],
    [
      'overlap',
      report.overlap === 0 ? '0' : report.overlap.toPrecision(3),
      'pages fetched again / distinct pages',
    ],
    [
      'sites',
      formatCount(report.sites),
      `for ${report.agents === 0 ? 'one machine' : report.agents === 1 ? 'one agent' : `${report.agents} agents`}`,
    ],
    ['exchanged', report.communicationOverhead.toFixed(3), 'URLs between agents per page'],
    [
      'links',
      formatCount(report.linksExtracted),
      `${formatCount(report.drum.pageUrl.checks)} checked on disk`,
    ],
    ['data', formatBytes(report.bytes)],
    ['processor', `${cpuPerPage.toFixed(0)} us`, 'per page, all threads'],
    ['memory', formatBytes(report.peakRssBytes), 'at its peak'],
  ];
  const { by, share } = report.politeness;
  if (by !== null && share >= LIMITING)
    rows.push([
      'left alone',
      `${Math.round(100 * share)}%`,
      `of the time, hosts rested: limited by ${pauses[by]}`,
    ]);
  const answers = Object.entries(report.answers).sort(([a], [b]) => a.localeCompare(b));
  if (answers.length > 0) rows.push(['answers', formatCount(sumOf(answers)), listed(answers)]);
  const errors = Object.entries(report.errors);
  if (errors.length > 0) {
    errors.sort((a, b) => b[1] - a[1]);
    rows.push(['left out', formatCount(sumOf(errors)), listed(errors)]);
  }
  const isWhole = report.outcome === 'exhausted' && report.coverage === 1 && report.pages > 0;
  const outcome = isWhole ? 'every page that can be reached was crawled' : OUTCOME_TEXT[report.outcome];
  return `${report.web}: ${outcome}\n${alignColumns(rows)}\n  report in ${directory}`;
}

type Counts = readonly (readonly [name: string, count: number])[];

const sumOf = (counts: Counts): number => counts.reduce((sum, [, count]) => sum + count, 0);

const listed = (counts: Counts): string =>
  counts.map(([name, count]) => `${name} ${formatCount(count)}`).join(', ');
