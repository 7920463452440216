/** Looks at all that a crawl stored: WARC files, record by record, and the index. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { nodeDisk } from '#drumline/model/disk.js';
import { base32 } from '#drumline/store/digest.js';
import type { StoreCounts } from '#drumline/store/page-store.js';
import { type WarcRecord, warcRecords } from '#drumline/store/warc-reader.js';

export interface Archive {
  /** What is wrong, in words. */
  readonly faults: string[];
  readonly counts: StoreCounts;
  /** URLs of responses and revisits with status 200, in the order of the index. */
  readonly pages: string[];
}

interface Capture {
  readonly url: string;
  readonly digest: string;
  readonly length: number;
  readonly isRevisit: boolean;
  readonly hasBody: boolean;
  /** Its own id; the one that it refers to. */
  readonly id: string;
  readonly refersTo: string;
}

const sha1 = (bytes: Uint8Array): string => `sha1:${base32(createHash('sha1').update(bytes).digest())}`;

/**
 * `directory` is a crawl directory whose crawl came to its end. If agents died on the way, what they stored since a
 * checkpoint and then once more is in the files: a body is not, and of all else only the second is in the index.
 */
export function checkArchive(directory: string, didAgentsDie = false): Archive {
  const faults: string[] = [];
  const records: Record<string, number> = { warcinfo: 0, request: 0, response: 0, revisit: 0, metadata: 0 };
  const captures = new Map<string, Capture>();
  const payloads = new Map<string, string>();
  const bodies = new Set<string>();
  const references: [id: string, digest: string, where: string][] = [];
  let bytes = 0;

  const look = (record: WarcRecord, file: string): void => {
    const { headers, block, offset, length } = record;
    const where = `${file} ${offset}`;
    const type = headers.get('warc-type')!;
    records[type] = (records[type] ?? 0) + 1;
    if (headers.get('warc-block-digest') !== sha1(block)) faults.push(`${where}: block digest`);
    if (type !== 'response' && type !== 'revisit') return;
    const digest = headers.get('warc-payload-digest')!;
    const payload = Buffer.from(block).subarray(Buffer.from(block).indexOf('\r\n\r\n') + 4);
    captures.set(where, {
      url: headers.get('warc-target-uri')!,
      digest,
      length,
      isRevisit: type === 'revisit',
      hasBody: payload.length > 0,
      id: headers.get('warc-record-id')!,
      refersTo: headers.get('warc-refers-to') ?? '',
    });
    if (type === 'response') {
      payloads.set(headers.get('warc-record-id')!, digest);
      if (digest !== sha1(payload)) faults.push(`${where}: payload digest`);
      if (bodies.has(digest)) faults.push(`${where}: a body that was stored before`);
      if (payload.length > 0) bodies.add(digest);
    } else {
      references.push([headers.get('warc-refers-to')!, digest, where]);
      if (payload.length > 0) faults.push(`${where}: a revisit with a body`);
    }
  };

  const names = readdirSync(join(directory, 'warc')).sort();
  for (const name of names) {
    const path = join(directory, 'warc', name);
    bytes += statSync(path).size;
    if (!name.endsWith('.warc.gz')) faults.push(`${name} was not closed`);
    const file = nodeDisk.open(path, 'read');
    let end = 0;
    for (const record of warcRecords(file, (at, what) => faults.push(`${name} ${at}: ${what}`))) {
      if (record.offset !== end) faults.push(`${name} ${record.offset}: not one record a member`);
      end = record.offset + record.length;
      look(record, name);
    }
    file.close();
  }
  for (const [id, digest, where] of references) {
    if (payloads.get(id) !== digest) faults.push(`${where}: the record with the body is not there`);
  }
  const pages = checkIndex(directory, captures, faults, didAgentsDie);
  const duplicates = records['revisit']!;
  return { faults, counts: { files: names.length, records, bytes, duplicates, duplicateBytes: 0 }, pages };
}

/** Every capture has its line, unless it was repeated and its URL has one, and every line its capture. */
function checkIndex(
  directory: string,
  captures: Map<string, Capture>,
  faults: string[],
  areRepeated: boolean,
): string[] {
  const text = readFileSync(join(directory, 'index.cdxj'), 'latin1');
  const lines = text.split('\n').slice(0, -1);
  const pages: string[] = [];
  const seen = new Set<string>();
  const urls = new Set<string>();
  const ids = new Set<string>();
  for (const [i, line] of lines.entries()) {
    if (i > 0 && lines[i - 1]! >= line)
      faults.push(`the index is out of order, or has a line twice: ${line}`);
    const entry = JSON.parse(line.slice(line.indexOf(' {'))) as Record<string, string>;
    const where = `${entry['filename']} ${entry['offset']}`;
    const capture = captures.get(where);
    seen.add(where);
    // robots.txt is asked for in every run of a crawl.
    if (urls.has(entry['url']!) && !entry['url']!.endsWith('/robots.txt'))
      faults.push(`${entry['url']} is in the index twice`);
    urls.add(entry['url']!);
    if (capture !== undefined) ids.add(capture.id);
    const isRight =
      capture?.url === entry['url'] &&
      capture?.digest === `sha1:${entry['digest']}` &&
      capture?.length === Number(entry['length']) &&
      capture?.isRevisit === (entry['mime'] === 'warc/revisit');
    if (!isRight) faults.push(`the index does not hold: ${line}`);
    if (entry['status'] === '200') pages.push(entry['url']!);
  }
  if (seen.size !== lines.length) faults.push('two lines of the index have the same place');
  for (const [where, { hasBody, refersTo, url }] of captures) {
    if (!seen.has(where) && !(areRepeated && urls.has(url) && !hasBody))
      faults.push(`${where} is not in the index`);
    if (seen.has(where) && refersTo !== '' && !ids.has(refersTo))
      faults.push(`${where} refers to what is not in the index`);
  }
  return pages;
}

/** Of a crawl that was killed: the index is that of a checkpoint, and all that it says is in the files. */
export function checkKilledIndex(directory: string): string[] {
  const index = join(directory, 'index.cdxj');
  if (!existsSync(index)) return [];
  const faults: string[] = [];
  const files = new Map<string, Buffer>();
  const read = (name: string): Buffer => {
    const path = join(directory, 'warc', name);
    const bytes = files.get(name) ?? readFileSync(existsSync(path) ? path : `${path}.open`);
    files.set(name, bytes);
    return bytes;
  };
  let last = '';
  for (const line of readFileSync(index, 'latin1').split('\n').slice(0, -1)) {
    const { filename, length, offset, url } = JSON.parse(line.slice(line.indexOf(' {')));
    const member = read(filename).subarray(Number(offset), Number(offset) + Number(length));
    const record = gunzipSync(member).toString('latin1');
    if (!record.includes(`\r\nWARC-Target-URI: ${url}\r\n`)) faults.push(`the index does not hold: ${line}`);
    if (line <= last) faults.push(`the index is out of order: ${line}`);
    last = line;
  }
  return faults;
}
