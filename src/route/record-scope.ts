/** Which records belong to the crawl. Seeds always do: whoever names them wants them. */
import { hostEnd } from '../model/canonical-url-bytes.js';
import {
  isSitemapRecord,
  LEFT_OUT,
  RECORD_HEADER,
  recordDepth,
  recordRedirects,
  recordSiteDepth,
  recordType,
  recordUrlEnd,
} from '../model/record.js';
import type { Scope } from '../scope/scope.js';
import { leftOutReason } from './left-out.js';

const SLASH = 0x2f;

export class RecordScope {
  readonly #scope: Scope;
  readonly #depthPerSite: number;

  /** `depthPerSite` links inside a site are followed at most; of a sitemap the depth is another. */
  constructor(scope: Scope, depthPerSite: number) {
    this.#scope = scope;
    this.#depthPerSite = depthPerSite;
  }

  /** '' if the URL of a PAGE_URL record is in scope, else why not. That of a LEFT_OUT record was asked for where it was found. */
  check(bytes: Uint8Array, start: number, end: number): string {
    if (recordType(bytes, start) === LEFT_OUT) return leftOutReason(bytes, start);
    const depth = recordDepth(bytes, start);
    if (depth === 0 && recordRedirects(bytes, start) === 0) return '';
    if (recordSiteDepth(bytes, start) > this.#depthPerSite && !isSitemapRecord(bytes, start))
      return 'DEPTH_PER_SITE';
    const url = start + RECORD_HEADER;
    // http:// or https://
    const host = bytes[url + 6] === SLASH ? url + 7 : url + 8;
    const urlEnd = recordUrlEnd(bytes, start, end);
    return this.#scope.check(bytes, url, urlEnd, host, hostEnd(bytes, host), depth);
  }
}
