/** What the crawler reads of a response's headers, found by name in one pass over the raw pairs. */
import { headerText } from '../../store/header-lines.js';

export class ResponseHead {
  contentType = '';
  contentEncoding = '';
  /** Bytes announced, or -1. */
  contentLength = -1;
  location = '';
  retryAfter = '';
  /** The values of all its lines, a line each: what one says to a crawler ends with it. */
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
        if (is(name, 'location') && this.location === '') this.location = headerText(value);
        break;
      case 11:
        if (is(name, 'retry-after')) this.retryAfter = headerText(value);
        break;
      case 12:
        if (is(name, 'content-type')) this.contentType = headerText(value);
        else if (is(name, 'x-robots-tag')) this.robotsTag = joined(this.robotsTag, value, '\n');
        break;
      case 14:
        if (is(name, 'content-length')) this.contentLength = Number.parseInt(headerText(value), 10);
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

function joined(before: string, value: Buffer, between = ', '): string {
  return before === '' ? headerText(value) : `${before}${between}${headerText(value)}`;
}
