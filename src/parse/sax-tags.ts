/**
 * sax-wasm without its objects: an open tag's attributes are read where they lie in wasm memory, instead of
 * through a detail object, a view and a string for each.
 *
 * What the pointer of an OpenTag event leads to (sax-wasm 3.1), in 32-bit words:
 * | struct    | words  | what                                      |
 * |-----------|--------|-------------------------------------------|
 * | Tag       | 1, 2   | name: address, length                     |
 * | Tag       | 4, 5   | attributes: address of the first, count   |
 * | Attribute | 3, 4   | name: address, length                     |
 * | Attribute | 21, 22 | value: address, length                    |
 * Attributes lie 42 words apart.
 */
import { SAXParser, SaxEventType } from 'sax-wasm';
import { saxWasmBytes } from '../model/assets.js';
import { DrumlineError, oneLine } from '../model/errors.js';

const TAG_NAME = 1;
const TAG_ATTRIBUTES = 4;
const ATTRIBUTE_NAME = 3;
const ATTRIBUTE_VALUE = 21;
const ATTRIBUTE_WORDS = 42;

/** As much of WebAssembly as is used here: its types come with the DOM's alone. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
}
interface SaxExports {
  readonly memory: WasmMemory;
  parser(events: number): void;
  write(pointer: number, length: number): void;
  end(): void;
}
interface WasmModule {
  readonly __wasmModule: never;
}
interface Wasm {
  Module: new (bytes: Uint8Array) => WasmModule;
  Instance: new (module: WasmModule, imports: object) => { readonly exports: SaxExports };
}
const { WebAssembly } = globalThis as unknown as { WebAssembly: Wasm };

/** The tag of an event. Valid during the callback only. */
export class SaxTag {
  /** All of the wasm memory. */
  bytes = new Uint8Array(0);
  nameStart = 0;
  nameLength = 0;
  /** The value that `find` found is `bytes[start, end)`. */
  start = 0;
  end = 0;
  #words = new Uint32Array(0);
  #attributes = 0;
  #attributeCount = 0;

  point(memory: WasmMemory, pointer: number): void {
    // Growing the memory detaches the old buffer, which leaves its views empty.
    if (this.#words.length === 0) {
      this.bytes = new Uint8Array(memory.buffer);
      this.#words = new Uint32Array(memory.buffer);
    }
    const words = this.#words;
    const at = pointer >>> 2;
    this.nameStart = words[at + TAG_NAME]!;
    this.nameLength = words[at + TAG_NAME + 1]!;
    this.#attributes = words[at + TAG_ATTRIBUTES]! >>> 2;
    this.#attributeCount = words[at + TAG_ATTRIBUTES + 1]!;
  }

  /** Another instance has another memory. */
  forget(): void {
    this.#words = new Uint32Array(0);
  }

  /** Finds the attribute whose name begins with `letter`: the names kept of one element differ in it. */
  find(letter: number): boolean {
    const words = this.#words;
    let at = this.#attributes;
    for (let i = 0; i < this.#attributeCount; i++, at += ATTRIBUTE_WORDS) {
      if (this.bytes[words[at + ATTRIBUTE_NAME]!] !== letter) continue;
      this.start = words[at + ATTRIBUTE_VALUE]!;
      this.end = this.start + words[at + ATTRIBUTE_VALUE + 1]!;
      return true;
    }
    return false;
  }
}

export class SaxTags extends SAXParser {
  readonly #module = new WebAssembly.Module(saxWasmBytes());
  readonly #tag = new SaxTag();

  constructor(onTag: (tag: SaxTag) => void) {
    super(SaxEventType.OpenTag);
    this.eventTrap = (_event, pointer) => {
      this.#tag.point(this.wasmSaxParser!.memory, pointer);
      onTag(this.#tag);
    };
    this.#instantiate();
  }

  /** Reads a batch of whole tags. A trap poisons the instance, so it is replaced before the error goes on. */
  read(tags: Uint8Array): void {
    try {
      this.write(tags);
      this.end();
    } catch (error) {
      this.#instantiate();
      throw new DrumlineError('MARKUP', `markup parser failed: ${oneLine(error)}`, 'drop-url', {
        cause: error,
      });
    }
  }

  /** As `prepareWasm` does, but at once: a page is read within one call. */
  #instantiate(): void {
    const instance = new WebAssembly.Instance(this.#module, { env: { event_listener: this.eventTrap } });
    this.wasmSaxParser = instance.exports as unknown as NonNullable<SAXParser['wasmSaxParser']>;
    this.wasmSaxParser.parser(this.events ?? 0);
    this.#tag.forget();
  }
}
