/** What the log says about one URL: read from the beginning to the end, in bounded memory. */
import type { Disk } from '../model/disk.js';
import type { LogLine } from './log-line.js';
import { LogLines } from './log-lines.js';
import { LogReach, type Reach } from './log-reach.js';

export interface UrlHistory {
  /** The last line about the URL, by time; null if there is none. */
  readonly last: LogLine | null;
  /** Requests made for it. */
  readonly requests: number;
  /** The line that gives up its whole site; null if there is none. */
  readonly site: LogLine | null;
  readonly reach: Reach;
}

/** REQUIRES: `url` is canonical and `host` its host. */
export function urlHistory(disk: Disk, files: readonly string[], url: string, host: string): UrlHistory {
  const wantedUrl = Buffer.from(`"url":${JSON.stringify(url)}`);
  const wantedSite = Buffer.from('"kind":"site"');
  const reach = new LogReach();
  let last: LogLine | null = null;
  let site: LogLine | null = null;
  let requests = 0;
  for (const path of files) {
    const lines = new LogLines(disk, path);
    while (lines.next()) {
      const bytes = lines.bytes.subarray(lines.start, lines.end);
      if (!reach.note(lines) || !(bytes.includes(wantedSite) || bytes.includes(wantedUrl))) continue;
      const line = lines.parse();
      if (line?.kind === 'site' && line.host === host) site = latest(site, line);
      else if (line?.url === url && line.kind !== 'site') {
        if (line.started !== undefined) requests++;
        last = latest(last, line);
      }
    }
    reach.finish(lines);
    lines.close();
  }
  return { last, requests, site, reach };
}

/** Of two lines of one time, the one that comes last in its file. */
function latest(before: LogLine | null, line: LogLine): LogLine {
  return before !== null && before.time > line.time ? before : line;
}
