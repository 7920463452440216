/** What `<meta name=robots>` and `X-Robots-Tag` ask of all crawlers, or of this one by its name. */
import { productToken } from '../model/product-token.js';
import type { LinkList } from './link-list.js';
import { asciiBytes } from './markup-bytes.js';

/** Directives that take a value after a colon, where otherwise a crawler's name stands before one. */
const WITH_VALUE = /^(?:unavailable_after|max-snippet|max-image-preview|max-video-preview)$/;

export class RobotsDirectives {
  /** The crawler's name without its version, and as much of it as is a product token. */
  readonly #name: string;
  readonly #token: string;
  /** What `<meta name>` is where it speaks to this crawler. */
  readonly names: readonly Uint8Array[];

  /** `agent` is the crawler's own name; a version may follow, as in `MyBot/2.0`. */
  constructor(agent: string) {
    this.#name = nameWithoutVersion(agent);
    this.#token = productToken(agent);
    const names = new Set(['robots', this.#name, this.#token].filter((name) => name !== ''));
    this.names = [...names].map(asciiBytes);
  }

  /** `<meta content>`: directives with commas between them. */
  apply(content: string, links: LinkList): void {
    for (const directive of content.split(',')) apply(directive, links);
  }

  /**
   * Values of `X-Robots-Tag`, a line each: `[agent:] directive, directive, ...`. In a line an agent's directives go on until
   * another is named.
   */
  header(values: string, links: LinkList): void {
    for (const value of values.split('\n')) this.#headerLine(value, links);
  }

  #headerLine(value: string, links: LinkList): void {
    let isForUs = true;
    for (const part of value.split(',')) {
      const colon = part.indexOf(':');
      const name = colon < 0 ? '' : part.slice(0, colon).trim();
      if (name === '' || /\s/.test(name) || WITH_VALUE.test(name.toLowerCase())) {
        if (isForUs) apply(part, links);
        continue;
      }
      isForUs = this.#isOurs(name);
      if (isForUs) apply(part.slice(colon + 1), links);
    }
  }

  #isOurs(name: string): boolean {
    const short = nameWithoutVersion(name);
    return short === this.#name || (this.#token !== '' && short === this.#token);
  }
}

function nameWithoutVersion(name: string): string {
  return name.trim().toLowerCase().split(/[/\s]/, 1)[0]!;
}

function apply(directive: string, links: LinkList): void {
  switch (directive.trim().toLowerCase()) {
    case 'nofollow':
      links.nofollow = true;
      break;
    case 'noindex':
      links.noindex = true;
      break;
    case 'none':
      links.nofollow = true;
      links.noindex = true;
      break;
    default:
  }
}
