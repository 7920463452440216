/** The attributes of one element through sax-wasm. */
import { SaxEventType } from 'sax-wasm';
import {
  ATTRIBUTE_NAME,
  ATTRIBUTE_VALUE,
  ATTRIBUTE_WORDS,
  GuardedSax,
  TAG_ATTRIBUTES,
} from './guarded-sax.js';

/** Takes the attributes of an element: the first letter of the name, the value as `memory[start, end)`. */
export type AttributeListener = (letter: number, memory: Uint8Array, start: number, end: number) => void;

export class SaxAttributes {
  readonly #sax = new GuardedSax(SaxEventType.OpenTag, (_event, tag) => this.#onTag(tag));
  readonly #onAttribute: AttributeListener;

  constructor(onAttribute: AttributeListener) {
    this.#onAttribute = onAttribute;
  }

  /** Reads one whole element. Throws a DrumlineError with the disposition `drop-url` if it brings sax-wasm down. */
  read(element: Uint8Array): void {
    this.#sax.feed(element);
    this.#sax.finish();
  }

  #onTag(tag: number): void {
    const { memory } = this.#sax;
    const words = new Uint32Array(memory);
    const bytes = new Uint8Array(memory);
    const count = words[tag + TAG_ATTRIBUTES + 1]!;
    let at = words[tag + TAG_ATTRIBUTES]! >>> 2;
    for (let i = 0; i < count; i++, at += ATTRIBUTE_WORDS) {
      const start = words[at + ATTRIBUTE_VALUE]!;
      const end = start + words[at + ATTRIBUTE_VALUE + 1]!;
      this.#onAttribute(bytes[words[at + ATTRIBUTE_NAME]!]!, bytes, start, end);
    }
  }
}
