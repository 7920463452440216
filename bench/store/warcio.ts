/** warcio, the archivists' own reader, as an oracle: what it finds in a WARC file. */
import { createReadStream } from 'node:fs';

export interface OracleRecord {
  readonly type: string;
  readonly url: string;
  readonly offset: number;
  readonly length: number;
  /** All bytes between the record's headers and its end. */
  readonly block: Uint8Array;
}

/** What is used of warcio. */
interface Parser extends AsyncIterable<ParsedRecord> {
  readonly offset: number;
  readonly recordLength: number;
}
interface ParsedRecord {
  readonly warcType: string;
  readonly warcTargetURI: string | null;
  readonly httpHeaders: { readonly statusCode: number; readonly headers: Headers } | null;
  readFully(isContent?: boolean): Promise<Uint8Array>;
}
type ParserClass = new (
  source: AsyncIterable<Uint8Array>,
  options: { readonly parseHttp: boolean },
) => Parser;

export interface Warcio {
  records(path: string): AsyncGenerator<OracleRecord>;
  /** Payloads of responses as warcio hands them out, by URL. */
  payloads(path: string): Promise<Map<string, { readonly status: number; readonly payload: Uint8Array }>>;
}

export async function loadWarcio(): Promise<Warcio> {
  const path = new URL('../../../bench/peers/node_modules/warcio/dist/index.js', import.meta.url);
  const { WARCParser } = (await import(path.href).catch(() => {
    throw new Error('warcio is missing: npm install --prefix bench/peers');
  })) as { WARCParser: ParserClass };
  return {
    async *records(file) {
      const parser = new WARCParser(createReadStream(file), { parseHttp: false });
      for await (const record of parser) {
        const block = await record.readFully();
        const { offset, recordLength: length } = parser;
        yield { type: record.warcType, url: record.warcTargetURI ?? '', offset, length, block };
      }
    },
    async payloads(file) {
      const found = new Map<string, { status: number; payload: Uint8Array }>();
      for await (const record of new WARCParser(createReadStream(file), { parseHttp: true })) {
        if (record.warcType !== 'response') continue;
        const status = record.httpHeaders!.statusCode;
        found.set(record.warcTargetURI!, { status, payload: await record.readFully(false) });
      }
      return found;
    },
  };
}
