/**
 * Seeds as people keep them: one URL a line with # comments, gzipped or not, from a file or standard input; or a dump
 * of the Open Directory, whose RDF names a page in `about="..."` and `r:resource="..."`.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { canonicalUrl } from '../model/canonical-url.js';
import { oneLine, UsageError } from '../model/errors.js';

export interface SeedLine {
  readonly line: number;
  /** What stands there. */
  readonly text: string;
  /** Its canonical URL, or null if it is none that can be crawled. */
  readonly url: string | null;
}

const GZIP_MAGIC = 0x1f8b;
const RDF_START = /^\s*(<\?xml|<RDF)/i;
const RDF_PAGE = /<(?:ExternalPage\s+about|link1?\s+r:resource)="([^"]*)"/g;
const BYTE_ORDER_MARK = /^\uFEFF/;

/** A scheme may be left out: `example.org/path` is read as http. */
function readUrl(text: string): string | null {
  return canonicalUrl(
    /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/]+:\d+(\/|$)/.test(text) ? text : `http://${text}`,
  );
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};
const decodeEntities = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|apos);/g, (name) => ENTITIES[name]!);

/** The file's bytes, unpacked if they are gzip, whatever its name. */
async function* unpacked(input: Readable): AsyncGenerator<Uint8Array> {
  const chunks = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let head = Buffer.alloc(0);
  while (head.length < 2) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield head;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  }
  if (head.length < 2 || head.readUInt16BE(0) !== GZIP_MAGIC) {
    yield* all();
    return;
  }
  const gunzip = createGunzip();
  // An error of the input reaches the reader through gunzip, which the pipeline destroys with it.
  pipeline(Readable.from(all()), gunzip, () => {});
  yield* gunzip;
}

/** Every line that holds a URL or should; `-` reads standard input. */
export async function* readSeeds(path: string): AsyncGenerator<SeedLine> {
  try {
    const input = path === '-' ? process.stdin : createReadStream(path);
    const lines = createInterface({
      input: Readable.from(unpacked(input)),
      crlfDelay: Number.POSITIVE_INFINITY,
    });
    let line = 0;
    let isRdf = false;
    for await (const raw of lines) {
      line++;
      if (line === 1) isRdf = RDF_START.test(raw.replace(BYTE_ORDER_MARK, ''));
      if (isRdf) {
        for (const match of raw.matchAll(RDF_PAGE)) {
          const text = decodeEntities(match[1]!);
          yield { line, text, url: readUrl(text) };
        }
        continue;
      }
      const text = raw.replace(BYTE_ORDER_MARK, '').trim();
      if (text !== '' && !text.startsWith('#')) yield { line, text, url: readUrl(text) };
    }
  } catch (error) {
    throw new UsageError(`--seeds takes a readable file of URLs, got '${path}': ${oneLine(error)}`);
  }
}

/** The value of `--seed`. */
export function readSeed(text: string): string {
  const url = readUrl(text.trim());
  if (url === null) throw new UsageError(`--seed takes an http or https URL, got '${text}'`);
  return url;
}
