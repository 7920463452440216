/** What the log says about one URL: read from the beginning to the end, in bounded memory. */
import type { Disk } from '../model/disk.js';
import { type LogLine, LogLines } from './log-lines.js';

export interface UrlHistory {
  /** The last line about the URL, by time; null if there is none. */
  readonly last: LogLine | null;
  /** Requests made for it. */
  readonly requests: number;
  /** The line that gives up its whole site; null if there is none. */
  readonly site: LogLine | null;
}

/** REQUIRES: `url` is canonical and `host` its host. */
export function urlHistory(disk: Disk, files: readonly string[], url: string, host: string): UrlHistory {
  const wantedUrl = Buffer.from(`"url":${JSON.stringify(url)}`);
  const wantedSite = Buffer.from('"kind":"site"');
  let last: LogLine | null = null;
  let site: LogLine | null = null;
  let requests = 0;
  for (const path of files) {
    const lines = new LogLines(disk, path);
    while (lines.next()) {
      const bytes = lines.bytes.subarray(lines.start, lines.end);
      if (bytes.includes(wantedSite)) {
        const line = lines.parse();
        if (line.host === host) site = line;
      } else if (bytes.includes(wantedUrl)) {
        const line = lines.parse();
        if (line.started !== undefined) requests++;
        if (last === null || line.time >= last.time) last = line;
      }
    }
    lines.close();
  }
  return { last, requests, site };
}
