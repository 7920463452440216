/** Asks RobotsRules as an agent does, with strings in place of byte ranges. */

import { nodeDisk } from '#drumline/model/disk.js';
import { ALLOWED, NOT_KNOWN, RobotsRules } from '#drumline/robots/robots-rules.js';
import { RulesFile } from '#drumline/robots/rules-file.js';

const encoder = new TextEncoder();

export class Site {
  readonly rules: RobotsRules;

  constructor(
    userAgent = 'drumline',
    memoryBytes = 1 << 20,
    clock: () => number = () => 0,
    file = new RulesFile(nodeDisk, 'no file is needed', 0),
  ) {
    this.rules = new RobotsRules(userAgent, memoryBytes, file, clock);
  }

  /** `file` is a text in UTF-8, or bytes; returns the sitemaps. */
  learn(origin: string, file: string | Uint8Array, status = 200, isTruncated = false): readonly string[] {
    const bytes = encoder.encode(origin);
    const body = typeof file === 'string' ? encoder.encode(file) : file;
    const answer = { status, body, bodyLength: body.length, isTruncated, failure: '' };
    return this.rules.learn(bytes, 0, bytes.length, answer);
  }

  verdict(url: string): number {
    const bytes = encoder.encode(url);
    return this.rules.verdict(bytes, 0, originLength(url), bytes.length);
  }

  allows(url: string): boolean {
    const verdict = this.verdict(url);
    if (verdict === NOT_KNOWN) throw new Error(`no rules are known for ${url}`);
    return verdict === ALLOWED;
  }

  /** The line that decides, as people read it. */
  ruleFor(url: string): string {
    this.verdict(url);
    return this.rules.decisiveLine;
  }

  crawlDelay(origin: string): number {
    const bytes = encoder.encode(origin);
    return this.rules.crawlDelay(bytes, 0, bytes.length);
  }

  learnUnreachable(origin: string): void {
    const bytes = encoder.encode(origin);
    this.rules.learnUnreachable(bytes, 0, bytes.length);
  }
}

export function originLength(url: string): number {
  return url.indexOf('/', url.indexOf('//') + 2);
}
