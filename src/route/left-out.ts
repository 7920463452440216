/**
 * Which agent logs that a URL is out of scope. Every agent that finds such a URL remembers it in its own PageUrlDrum; the
 * one that the URL's key names is told by a LEFT_OUT record, and its PageUrlDrum says whether it knew. So nobody waits for
 * an answer, and the URL is logged once however many agents find it.
 */
import { assert } from '../model/assert.js';
import {
  LEFT_OUT,
  MAX_RECORD,
  recordDepth,
  recordKeyLow,
  recordSiteDepth,
  setDepths,
} from '../model/record.js';

/** Places of reasons stand in records, which checkpoints keep: new ones go to the end. */
const REASONS: readonly string[] = [
  'DEPTH_PER_SITE',
  'SCOPE_DEPTH',
  'SCOPE_HOST',
  'SCOPE_DOMAIN',
  'SCOPE_EXCLUDE',
  'TRAP_LENGTH',
  'TRAP_SEGMENTS',
  'TRAP_REPEATED_SEGMENT',
];

/** Why the URL of a LEFT_OUT record was left out where it was found, whatever the scope is by now. */
export function leftOutReason(bytes: Uint8Array, start: number): string {
  const reason = REASONS[recordSiteDepth(bytes, start)];
  assert(reason !== undefined, 'a record of a URL that was left out says why');
  return reason;
}

export class LeftOutLoggers {
  readonly #self: number;
  readonly #agents: number;
  readonly #send: (to: number, bytes: Uint8Array, start: number, end: number) => void;
  readonly #record = new Uint8Array(MAX_RECORD);

  constructor(
    self: number,
    agents: number,
    send: (to: number, bytes: Uint8Array, start: number, end: number) => void,
  ) {
    this.#self = self;
    this.#agents = agents;
    this.#send = send;
  }

  /** True if another agent logs the URL of the PAGE_URL or LEFT_OUT record, and was told; false if this one does. */
  tell(bytes: Uint8Array, start: number, end: number, reason: string): boolean {
    const logger = recordKeyLow(bytes, start) % this.#agents;
    if (logger === this.#self) return false;
    const place = REASONS.indexOf(reason);
    assert(place >= 0, 'each reason of the scope has a place');
    const record = this.#record;
    for (let from = start, to = 0; from < end; ) record[to++] = bytes[from++]!;
    record[0] = LEFT_OUT;
    setDepths(record, 0, recordDepth(bytes, start), place);
    this.#send(logger, record, 0, end - start);
    return true;
  }
}
