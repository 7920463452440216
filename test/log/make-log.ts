/** Lines of a log as an agent writes them, from what a test cares about. */
import { CrawlLog, type LoggedRequest } from '#drumline/log/crawl-log.js';
import type { Disk } from '#drumline/model/disk.js';

const encoder = new TextEncoder();
/** The clock's zero; any will do. */
export const ORIGIN = Date.UTC(2030, 0, 31);

export type Fields = Partial<Omit<LoggedRequest, 'url' | 'start' | 'end'>>;

export class TestLog {
  readonly log: CrawlLog;

  constructor(disk: Disk, path: string, agent = 0, origin = ORIGIN) {
    this.log = new CrawlLog(disk, path, agent, origin);
  }

  request(url: string, fields: Fields = {}): void {
    const bytes = encoder.encode(`..${url}..`);
    this.log.request({
      kind: 'page',
      url: bytes,
      start: 2,
      end: bytes.length - 2,
      ip: '192.0.2.1',
      started: 0,
      ended: 1,
      status: 200,
      bytes: 0,
      type: '',
      location: '',
      depth: 0,
      via: '',
      retries: 0,
      delay: 0,
      reason: '',
      willRetry: false,
      digest: '',
      warc: '',
      offset: 0,
      ...fields,
    });
  }

  givenUp(url: string, reason: string, { now = 0, depth = 1, via = '', detail = '' } = {}): void {
    const bytes = encoder.encode(url);
    this.log.givenUp(bytes, 0, bytes.length, now, depth, via, reason, detail);
  }

  siteGivenUp(root: string, reason: string, now = 0): void {
    const bytes = encoder.encode(root);
    this.log.siteGivenUp(bytes, 0, bytes.length, now, reason);
  }
}
