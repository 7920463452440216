/** What the crawler reads of a response's headers, found by name in one pass over the raw pairs. */
import { isAscii, isUtf8 } from 'node:buffer';

export class ResponseHead {
  contentType = '';
  contentEncoding = '';
  /** Bytes announced, or -1. */
  contentLength = -1;
  location = '';
  retryAfter = '';
  robotsTag = '';
  link = '';

  /** `raw` is name, value, name, value... */
  constructor(raw: readonly Buffer[]) {
    for (let i = 0; i + 1 < raw.length; i += 2) this.#read(raw[i]!, raw[i + 1]!);
  }

  /** Most headers are passed over by the length of their name. */
  #read(name: Buffer, value: Buffer): void {
    switch (name.length) {
      case 4:
        if (is(name, 'link')) this.link = joined(this.link, value);
        break;
      case 8:
        if (is(name, 'location') && this.location === '') this.location = text(value);
        break;
      case 11:
        if (is(name, 'retry-after')) this.retryAfter = text(value);
        break;
      case 12:
        if (is(name, 'content-type')) this.contentType = text(value);
        else if (is(name, 'x-robots-tag')) this.robotsTag = joined(this.robotsTag, value);
        break;
      case 14:
        if (is(name, 'content-length')) this.contentLength = Number.parseInt(text(value), 10);
        break;
      case 16:
        if (is(name, 'content-encoding')) this.contentEncoding = joined(this.contentEncoding, value);
        break;
    }
  }
}

function is(name: Buffer, wanted: string): boolean {
  return name.toString('latin1').toLowerCase() === wanted;
}

/** Header values are Latin-1 by the standard, UTF-8 in practice where they are not ASCII. */
function text(value: Buffer): string {
  return (!isAscii(value) && isUtf8(value) ? value.toString() : value.toString('latin1')).trim();
}

function joined(before: string, value: Buffer): string {
  return before === '' ? text(value) : `${before}, ${text(value)}`;
}
