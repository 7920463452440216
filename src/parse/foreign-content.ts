/**
 * The open SVG and MathML elements. Inside them no element's content is raw text and CDATA sections exist, so
 * the scanner must know when it is there. Only what the HTML standard's tree construction needs for that is
 * kept: HTML elements inside an integration point are not tracked, and an end tag that matches nothing here is
 * taken to close an HTML element around the whole.
 */

/** Inside these, start tags are HTML again. */
const INTEGRATION_POINTS = new Set('foreignobject desc title mi mo mn ms mtext annotation-xml'.split(' '));
/** HTML start tags that close all foreign elements up to the next integration point. */
const BREAKS_OUT = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed font h1 h2 h3 h4 h5 h6 head hr i img li ' +
    'listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'
  ).split(' '),
);
/** Deeper nesting is not tracked: the page is hostile, and memory stays bounded. */
const MAX_DEPTH = 512;
const LONGEST_NAME = 24;

export class ForeignContent {
  readonly #open: string[] = [];

  get open(): boolean {
    return this.#open.length > 0;
  }

  clear(): void {
    this.#open.length = 0;
  }

  push(bytes: Uint8Array, start: number, end: number): void {
    if (this.#open.length < MAX_DEPTH) this.#open.push(tagName(bytes, start, end));
  }

  /** Whether a start tag is read by the rules for HTML; foreign elements that it closes are closed. */
  startsHtml(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#atIntegrationPoint()) return true;
    if (!BREAKS_OUT.has(tagName(bytes, start, end))) return false;
    this.#breakOut();
    return true;
  }

  /** `isRawText`: the name is that of an HTML element with raw text, of which none can be open around. */
  endTag(bytes: Uint8Array, start: number, end: number, isRawText: boolean): void {
    const name = tagName(bytes, start, end);
    const found = this.#open.lastIndexOf(name);
    if (found >= 0) this.#open.length = found;
    else if (isRawText || this.#atIntegrationPoint()) return;
    else if (name === 'p' || name === 'br') this.#breakOut();
    else this.clear();
  }

  #atIntegrationPoint(): boolean {
    return INTEGRATION_POINTS.has(this.#open.at(-1) ?? '');
  }

  #breakOut(): void {
    while (this.open && !this.#atIntegrationPoint()) this.#open.pop();
  }
}

/** A tag's name, in lower case and cut where no name that matters is as long. */
export function tagName(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, Math.min(end, start + LONGEST_NAME))).toLowerCase();
}
