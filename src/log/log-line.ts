/** One line of a log, as an object; docs/crawl-log.md says what the fields are. */

/** Which of them are there depends on the kind. */
export interface LogLine {
  readonly time: string;
  readonly agent: number;
  readonly kind: 'page' | 'robots' | 'sitemap' | 'url' | 'site';
  readonly url: string;
  readonly host?: string;
  readonly ip?: string;
  readonly started?: number;
  readonly ended?: number;
  readonly status?: number;
  readonly bytes?: number;
  readonly type?: string;
  readonly location?: string;
  readonly depth?: number;
  readonly via?: string;
  readonly retries?: number;
  readonly delay?: number;
  readonly digest?: string;
  readonly warc?: string;
  readonly offset?: number;
  readonly reason?: string;
  readonly detail?: string;
  readonly willRetry?: boolean;
  /** Logged behind the checkpoint that the crawl went on from: what it tells of was undone. */
  readonly repeated?: boolean;
}

type FieldType = 'string' | 'number' | 'boolean';

const NEEDED: Readonly<Record<string, FieldType>> = {
  time: 'string',
  agent: 'number',
  kind: 'string',
  url: 'string',
};
const OPTIONAL: Readonly<Record<string, FieldType>> = {
  host: 'string',
  ip: 'string',
  started: 'number',
  ended: 'number',
  status: 'number',
  bytes: 'number',
  type: 'string',
  location: 'string',
  depth: 'number',
  via: 'string',
  retries: 'number',
  delay: 'number',
  digest: 'string',
  warc: 'string',
  offset: 'number',
  reason: 'string',
  detail: 'string',
  willRetry: 'boolean',
  repeated: 'boolean',
};
const KINDS: ReadonlySet<unknown> = new Set<LogLine['kind']>(['page', 'robots', 'sitemap', 'url', 'site']);

/** Null if it is none that was written: damaged, or somebody else's. Fields of a later version are left alone. */
export function readLogLine(text: string): LogLine | null {
  let line: Record<string, unknown> | null;
  try {
    line = JSON.parse(text) as Record<string, unknown> | null;
  } catch {
    return null;
  }
  if (typeof line !== 'object' || line === null || !KINDS.has(line['kind'])) return null;
  for (const name in NEEDED) if (typeof line[name] !== NEEDED[name]) return null;
  for (const name in line) {
    const type = OPTIONAL[name];
    if (type !== undefined && typeof line[name] !== type) return null;
  }
  return line as unknown as LogLine;
}
