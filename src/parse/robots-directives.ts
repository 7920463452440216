/** What `<meta name=robots>` and `X-Robots-Tag` ask of all crawlers, or of this one by its name. */
import type { LinkList } from './link-list.js';
import { asciiBytes } from './markup-bytes.js';
import type { SmallValue } from './small-value.js';

/** Directives that take a value after a colon, where otherwise a crawler's name stands before one. */
const WITH_VALUE = /^(?:unavailable_after|max-snippet|max-image-preview|max-video-preview)$/;

export class RobotsDirectives {
  readonly #agent: string;
  /** What `<meta name>` is where it speaks to this crawler. */
  readonly names: readonly Uint8Array[];

  /** `agent` is the crawler's own name. */
  constructor(agent: string) {
    this.#agent = agent.toLowerCase();
    this.names = ['robots', this.#agent].map(asciiBytes);
  }

  /** Whether `<meta name>` speaks to this crawler. */
  areNamed(name: SmallValue): boolean {
    return name.hasToken(this.names);
  }

  /** `<meta content>`: directives with commas between them. */
  apply(content: string, links: LinkList): void {
    for (const directive of content.split(',')) apply(directive, links);
  }

  /** `X-Robots-Tag`: `[agent:] directive, directive, ...`; an agent's directives go on until another is named. */
  header(value: string, links: LinkList): void {
    let isForUs = true;
    for (const part of value.split(',')) {
      const [, name = '', rest = ''] = /^\s*([^\s:]+)\s*:(.*)$/s.exec(part) ?? [];
      if (name === '' || WITH_VALUE.test(name.toLowerCase())) {
        if (isForUs) apply(part, links);
        continue;
      }
      isForUs = name.toLowerCase() === this.#agent;
      if (isForUs) apply(rest, links);
    }
  }
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
