/**
 * The status line of a response as it comes over the wire, version and reason phrase and all: undici hands over the number
 * and the text as UTF-8 alone. It is read from what passes through the connection's `read`, before undici parses it.
 *
 * REQUIRES: one request at a time on the connection.
 */
import type { Duplex } from 'node:stream';

const LINE_FEED = 10;
const INTERIM = /^HTTP\/\d\.\d 1\d\d/;
/** undici takes no longer head. */
const LONGEST_HEAD = 64 * 1024;

export class StatusLine {
  /** Of the last response, an octet a character, without its line end; '' if it was not found. */
  text = '';
  #isAwaited = false;
  /** Are we behind an interim status line, among its headers? */
  #isInHeaders = false;
  /** The begin of a line that did not end yet, and bytes looked at. */
  #rest = '';
  #length = 0;

  /** From now on, what comes is another response. */
  await(): void {
    this.text = '';
    this.#isAwaited = true;
    this.#isInHeaders = false;
    this.#rest = '';
    this.#length = 0;
  }

  /** Looks at all that is read from a connection. */
  watch(connection: Duplex): void {
    const read = connection.read.bind(connection);
    connection.read = (size?: number) => {
      const chunk = read(size) as Buffer | null;
      if (this.#isAwaited && chunk !== null) this.#look(chunk);
      return chunk;
    };
  }

  #look(chunk: Buffer): void {
    for (let at = 0; this.#isAwaited && at < chunk.length; ) {
      const feed = chunk.indexOf(LINE_FEED, at);
      const end = feed < 0 ? chunk.length : feed;
      this.#length += end - at;
      if (this.#length > LONGEST_HEAD) {
        this.#isAwaited = false;
        return;
      }
      this.#rest += chunk.toString('latin1', at, end);
      if (feed < 0) return;
      this.#takeLine(this.#rest.replace(/\r$/, ''));
      this.#rest = '';
      at = feed + 1;
    }
  }

  #takeLine(line: string): void {
    if (this.#isInHeaders) this.#isInHeaders = line !== '';
    else if (INTERIM.test(line)) this.#isInHeaders = true;
    // Parsers pass over empty lines before the first.
    else if (line !== '') {
      this.text = line;
      this.#isAwaited = false;
    }
  }
}
