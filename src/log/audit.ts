/**
 * Was the crawl polite? Reads what was logged and looks at every two requests in a row to one host, and to one address.
 * Memory is bounded, however many hosts there are.
 */

import type { Disk } from '../model/disk.js';
import { writeKey } from '../model/key.js';
import { LogLines } from './log-lines.js';
import { LogReach, type Reach } from './log-reach.js';
import { RequestRuns, type Row } from './request-runs.js';

/** Violations are named up to here, then counted. */
const MOST_NAMED = 1000;

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

export interface Audit extends Reach {
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

/** `sorted` is the path of a file for what does not fit into memory: a few bytes for each of the log's. */
export function audit(
  disk: Disk,
  files: readonly string[],
  delays: Delays,
  sorted: string,
  mostRows?: number,
): Audit {
  const runs = new RequestRuns(disk, sorted, mostRows);
  try {
    return auditRuns(disk, new PlacedFiles(files), delays, runs);
  } finally {
    runs.close();
  }
}

/**
 * The place of a line is its offset in all files, one behind the other: so there may be any number of them. What one has
 * while it is read counts, for it may grow meanwhile.
 */
class PlacedFiles {
  readonly paths: readonly string[];
  readonly #starts: number[] = [];

  constructor(paths: readonly string[]) {
    this.paths = paths;
  }

  /** The next file begins at `start`. */
  begin(start: number): void {
    this.#starts.push(start);
  }

  find(place: number): { path: string; offset: number } {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#starts[middle]! <= place) low = middle;
      else high = middle - 1;
    }
    return { path: this.paths[low]!, offset: place - this.#starts[low]! };
  }
}

function auditRuns(disk: Disk, files: PlacedFiles, delays: Delays, runs: RequestRuns): Audit {
  const { reach, requests } = readRequests(disk, files, runs);
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
    seenUntil: reach.seenUntil,
    damagedLines: reach.damagedLines,
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
function readRequests(
  disk: Disk,
  files: PlacedFiles,
  runs: RequestRuns,
): { reach: LogReach; requests: number } {
  const key = new Uint32Array(2);
  const encoder = new TextEncoder();
  const reach = new LogReach();
  let requests = 0;
  let start = 0;
  for (const path of files.paths) {
    const lines = new LogLines(disk, path);
    files.begin(start);
    while (lines.next()) {
      const line = reach.note(lines) ? lines.parse() : null;
      if (line === null) continue;
      const { host, ip, started, ended, delay = 0 } = line;
      if (host === undefined || started === undefined || ended === undefined) continue;
      requests++;
      const place = start + lines.offset;
      writeKey(encoder.encode(host), key, 0);
      runs.add((key[0]! & ~1) >>> 0, key[1]!, started, ended, delay, place);
      if (ip === undefined) continue;
      writeKey(encoder.encode(ip), key, 0);
      runs.add((key[0]! | 1) >>> 0, key[1]!, started, ended, delay, place);
    }
    start += lines.readOffset;
    reach.finish(lines);
    lines.close();
  }
  return { reach, requests };
}

function describePair(disk: Disk, files: PlacedFiles, { gap, delay, place, isAddress }: Pair): Gap {
  const { path, offset } = files.find(place);
  const lines = new LogLines(disk, path);
  const line = lines.seek(offset) ? lines.parse() : null;
  lines.close();
  const { url = '', host = '', ip = '', started = 0 } = line ?? {};
  return { receiver: isAddress ? ip : host, url, started, gap, delay };
}
