/**
 * As much of the HTML standard's tree construction as decides whether a tag counts where it stands: inside `select`
 * most tags are ignored, and `frame` is one only in a `frameset`. Approximate where it takes the whole tree to be
 * exact: tables are counted, not matched.
 */
import type { Element } from './elements.js';
import { tagName } from './foreign-content.js';

/** In a table's `select`, these end it. */
const TABLE_PARTS = new Set('caption table tbody tfoot thead tr td th'.split(' '));

export class TreeRules {
  /** Outside, a tag whose name is not in elements.ts counts and changes nothing. */
  inSelect = false;
  #inFrameset = false;
  #tables = 0;
  /** Open templates inside a `select`, in which all tags count until the last is closed. */
  #templates = 0;

  clear(): void {
    this.#templates = 0;
    this.inSelect = false;
    this.#inFrameset = false;
    this.#tables = 0;
  }

  /** Whether a start tag counts, `element` being what its name `bytes[start, end)` names. */
  startTag(element: Element | null, bytes: Uint8Array, start: number, end: number): boolean {
    if (this.inSelect && !this.#countsInSelect(element, bytes, start, end)) return false;
    switch (element?.label) {
      case 'select':
        this.inSelect = true;
        break;
      case 'table':
        this.#tables++;
        break;
      case 'frameset':
        this.#inFrameset = true;
        break;
      case 'template':
        if (this.#templates > 0) this.#templates++;
        break;
      case 'frame':
        return this.#inFrameset;
      default:
    }
    return true;
  }

  endTag(element: Element | null, bytes: Uint8Array, start: number, end: number): void {
    if (this.inSelect) {
      const endsSelect = this.#tables > 0 && TABLE_PARTS.has(tagName(bytes, start, end));
      if (endsSelect || element?.label === 'select') this.inSelect = false;
    }
    if (!this.inSelect && element?.label === 'table' && this.#tables > 0) this.#tables--;
    if (element?.label === 'template' && this.#templates > 0) this.inSelect = --this.#templates === 0;
  }

  #countsInSelect(element: Element | null, bytes: Uint8Array, start: number, end: number): boolean {
    switch (element?.label) {
      case 'script':
        return true;
      case 'select':
        this.inSelect = false;
        return false;
      case 'template':
        this.inSelect = false;
        this.#templates = 1;
        return false;
      case 'input':
      case 'keygen':
      case 'textarea':
        this.inSelect = false;
        return true;
      default:
    }
    if (this.#tables === 0 || !TABLE_PARTS.has(tagName(bytes, start, end))) return false;
    this.inSelect = false;
    return true;
  }
}
