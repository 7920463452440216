/**
 * Was the crawl polite? Reads what was logged and looks at every two requests in a row to one host, and to one address.
 * Memory is bounded, however many hosts there are.
 */

import type { Disk } from '../model/disk.js';
import { writeKey } from '../model/key.js';
import { LogLines } from './log-lines.js';
import { RequestRuns, type Row } from './request-runs.js';

/** Violations are named up to here, then counted. */
const MOST_NAMED = 1000;
/** The place of a line: its file's number and its offset in there. */
const FILE_PLACE = 2 ** 43;

export interface Delays {
  readonly hostDelay: number;
  readonly ipDelay: number;
}

export interface Gap {
  /** Host or address. */
  readonly receiver: string;
  /** The request that came after the gap. */
  readonly url: string;
  /** Its start, ms since 1970. */
  readonly started: number;
  /** Milliseconds between the two; less than 0 if they overlapped. */
  readonly gap: number;
  /** What it should be at least. */
  readonly delay: number;
}

/** The requests to one kind of receiver: hosts, hosts that were owed a longer delay, addresses. */
export interface GapSummary {
  /** Pairs of requests in a row. */
  readonly pairs: number;
  /** The one that came closest to what was owed, or fell short most; null without a pair. */
  readonly closest: Gap | null;
}

export interface Audit {
  readonly requests: number;
  readonly hosts: number;
  readonly addresses: number;
  readonly perHost: GapSummary;
  /** After requests whose host was owed more than the host delay: a Crawl-delay, a slow server, a retry. */
  readonly perSlowHost: GapSummary;
  readonly perAddress: GapSummary;
  readonly violations: number;
  /** The first ones by host and address. */
  readonly named: readonly Gap[];
}

interface Pair {
  readonly gap: number;
  readonly delay: number;
  readonly place: number;
  readonly isAddress: boolean;
}

class Tally {
  pairs = 0;
  closest: Pair | null = null;

  add(pair: Pair): void {
    this.pairs++;
    const { closest } = this;
    if (closest === null || pair.gap - pair.delay < closest.gap - closest.delay) this.closest = pair;
  }
}

/** `temporary` is a directory for what does not fit into memory. */
export function audit(
  disk: Disk,
  files: readonly string[],
  delays: Delays,
  temporary: string,
  mostRows?: number,
): Audit {
  const runs = new RequestRuns(disk, temporary, mostRows);
  const requests = readRequests(disk, files, runs);
  const receivers = { host: 0, address: 0 };
  const tallies = { host: new Tally(), slow: new Tally(), address: new Tally() };
  const named: Pair[] = [];
  let violations = 0;
  let last: Row | null = null;
  let lastEnd = 0;
  runs.forEach((row) => {
    const isAddress = (row.keyLow & 1) === 1;
    if (last === null || last.keyLow !== row.keyLow || last.keyHigh !== row.keyHigh) {
      receivers[isAddress ? 'address' : 'host']++;
      lastEnd = row.end;
    } else {
      const delay = isAddress ? delays.ipDelay : Math.max(delays.hostDelay, last.delay);
      const gap = row.start - (isAddress ? last.start : lastEnd);
      const pair = { gap, delay, place: row.place, isAddress };
      tallies[isAddress ? 'address' : delay > delays.hostDelay ? 'slow' : 'host'].add(pair);
      if (gap < delay && ++violations <= MOST_NAMED) named.push(pair);
      lastEnd = Math.max(lastEnd, row.end);
    }
    last = row;
  });
  const describe = (pair: Pair): Gap => describePair(disk, files, pair);
  const summary = ({ pairs, closest }: Tally): GapSummary => ({
    pairs,
    closest: closest === null ? null : describe(closest),
  });
  return {
    requests,
    hosts: receivers.host,
    addresses: receivers.address,
    perHost: summary(tallies.host),
    perSlowHost: summary(tallies.slow),
    perAddress: summary(tallies.address),
    violations,
    named: named.map(describe),
  };
}

/** Two rows for each request: one for its host, one for its address. The lowest bit of the key tells them apart. */
function readRequests(disk: Disk, files: readonly string[], runs: RequestRuns): number {
  const key = new Uint32Array(2);
  const encoder = new TextEncoder();
  let requests = 0;
  for (const [number, path] of files.entries()) {
    const lines = new LogLines(disk, path);
    while (lines.next()) {
      const { host, ip, started, ended, delay = 0 } = lines.parse();
      if (host === undefined || started === undefined || ended === undefined) continue;
      requests++;
      const place = number * FILE_PLACE + lines.offset;
      writeKey(encoder.encode(host), key, 0);
      runs.add((key[0]! & ~1) >>> 0, key[1]!, started, ended, delay, place);
      if (ip === undefined) continue;
      writeKey(encoder.encode(ip), key, 0);
      runs.add((key[0]! | 1) >>> 0, key[1]!, started, ended, delay, place);
    }
    lines.close();
  }
  return requests;
}

function describePair(disk: Disk, files: readonly string[], { gap, delay, place, isAddress }: Pair): Gap {
  const lines = new LogLines(disk, files[Math.floor(place / FILE_PLACE)]!);
  lines.seek(place % FILE_PLACE);
  const { url, host = '', ip = '', started = 0 } = lines.parse();
  lines.close();
  return { receiver: isAddress ? ip : host, url, started, gap, delay };
}
