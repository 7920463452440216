/**
 * Seeds as people keep them: one URL a line with # comments, gzipped or not, from a file or standard input; or a dump
 * of the Open Directory, whose RDF names a page in `about="..."` and `r:resource="..."`.
 */
import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { canonicalUrl } from '../model/canonical-url.js';
import { oneLine, UsageError } from '../model/errors.js';
import { MAX_URL_BYTES } from '../model/url-list.js';
import { endsLine, textPieces } from './text-pieces.js';

export interface SeedLine {
  readonly line: number;
  /** What stands there. */
  readonly text: string;
  /** Its canonical URL, or null if it is none that can be crawled. */
  readonly url: string | null;
  /** Why not; '' if it is one. */
  readonly problem: string;
}

const GZIP_MAGIC = 0x1f8b;
const RDF_START = /^\s*(<\?xml|<RDF)/i;
const RDF_PAGE = /<(?:ExternalPage\s+about|link1?\s+r:resource)\s*=\s*"([^"]*)"/g;
const GREATER = 0x3e;
const SPACE = /\s/;
const BYTE_ORDER_MARK = /^\uFEFF/;

/**
 * The canonical URL, or null. A scheme may be left out: `example.org/path` is read as http. White space inside is a second
 * column, a note or a second URL: the URL standard would take it for a part of the path, or drop it.
 */
export function readUrl(text: string): string | null {
  if (SPACE.test(text)) return null;
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
    let kind: 'unknown' | 'lines' | 'rdf' = 'unknown';
    // Tags of a dump may go over lines, so it is taken apart where they end.
    const ends = (byte: number): boolean => (kind === 'rdf' ? byte === GREATER : endsLine(byte));
    for await (const { line, text: raw } of textPieces(unpacked(input), ends)) {
      const text = raw.replace(BYTE_ORDER_MARK, '').trim();
      if (kind === 'unknown' && text !== '') kind = RDF_START.test(text) ? 'rdf' : 'lines';
      if (kind === 'rdf') {
        // The first line is a whole one, the others are pieces of one tag.
        for (const match of `${text}>`.matchAll(RDF_PAGE))
          yield seedLine(line, decodeEntities(match[1]!).trim().replaceAll(' ', '%20'));
      } else if (text !== '' && !text.startsWith('#')) yield seedLine(line, text);
    }
  } catch (error) {
    throw new UsageError(`--seeds takes a readable file of URLs, got '${path}': ${oneLine(error)}`);
  }
}

function seedLine(line: number, text: string): SeedLine {
  const url = readUrl(text);
  return { line, text, url, problem: url === null ? problemOf(text) : '' };
}

function problemOf(text: string): string {
  if (SPACE.test(text)) return 'white space inside, where one URL a line is taken';
  return text.length > MAX_URL_BYTES ? `longer than ${MAX_URL_BYTES} bytes` : 'no http or https URL';
}

/** The value of `--seed`. */
export function readSeed(text: string): string {
  const url = readUrl(text.trim());
  if (url === null) throw new UsageError(`--seed takes an http or https URL, got '${text}'`);
  return url;
}
