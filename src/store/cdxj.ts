/**
 * Lines of index.cdxj, as pywb and the wayback tools read it: key, time with 14 digits, and a JSON object, in which all
 * values are strings.
 */
import { surt } from './surt.js';

export interface Capture {
  readonly url: string;
  /** ISO 8601, UTC. */
  readonly date: string;
  /** Content-Type's media type; `warc/revisit` for a body that is stored elsewhere. */
  readonly mime: string;
  readonly status: number;
  /** SHA-1 of the payload in base 32. */
  readonly digest: string;
  /** The record: bytes in the file, where it begins, and which file. */
  readonly length: number;
  readonly offset: number;
  readonly file: string;
}

/** With its line feed. */
export function cdxjLine({ url, date, mime, status, digest, length, offset, file }: Capture): string {
  const time = date.replace(/\D/g, '').slice(0, 14);
  const values =
    `"url": ${JSON.stringify(url)}, "mime": ${JSON.stringify(mime)}, "status": "${status}", ` +
    `"digest": "${digest}", "length": "${length}", "offset": "${offset}", "filename": ${JSON.stringify(file)}`;
  return `${surt(url)} ${time} {${values}}\n`;
}

/** Content-Type without its parameters, as an index names it: what a server says must not end a line or a string. */
export function mediaType(contentType: string): string {
  const type = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?=[\s;,]|$)/.exec(contentType.trim())?.[0];
  return type === undefined ? 'unk' : type.toLowerCase();
}
