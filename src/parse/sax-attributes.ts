/**
 * sax-wasm without its objects: an element's attributes are read where they lie in wasm memory, instead of through a
 * detail object, a view and a string for each.
 *
 * What the pointer of an OpenTag event leads to (sax-wasm 3.1), in 32-bit words:
 * | struct    | words  | what                                      |
 * |-----------|--------|-------------------------------------------|
 * | Tag       | 4, 5   | attributes: address of the first, count   |
 * | Attribute | 3, 4   | name: address, length                     |
 * | Attribute | 21, 22 | value: address, length                    |
 * Attributes lie 42 words apart.
 */
import { SAXParser, SaxEventType } from 'sax-wasm';
import { saxWasmBytes } from '../model/assets.js';
import { DrumlineError, oneLine } from '../model/errors.js';

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

/** Takes the attributes of an element: the first letter of the name, the value as `memory[start, end)`. */
export type AttributeListener = (letter: number, memory: Uint8Array, start: number, end: number) => void;

export class SaxAttributes extends SAXParser {
  readonly #module = new WebAssembly.Module(saxWasmBytes());
  readonly #onAttribute: AttributeListener;

  constructor(onAttribute: AttributeListener) {
    super(SaxEventType.OpenTag);
    this.#onAttribute = onAttribute;
    this.eventTrap = (_event, pointer) => this.#onTag(pointer);
    this.#instantiate();
  }

  /** Reads one whole element. A trap poisons the instance, so it is replaced before the error goes on. */
  read(element: Uint8Array): void {
    try {
      this.write(element);
      this.end();
    } catch (error) {
      this.#instantiate();
      throw new DrumlineError('MARKUP', `markup parser failed: ${oneLine(error)}`, 'drop-url', {
        cause: error,
      });
    }
  }

  #onTag(pointer: number): void {
    const { buffer } = this.wasmSaxParser!.memory;
    const words = new Uint32Array(buffer);
    const bytes = new Uint8Array(buffer);
    const tag = pointer >>> 2;
    const count = words[tag + TAG_ATTRIBUTES + 1]!;
    let at = words[tag + TAG_ATTRIBUTES]! >>> 2;
    for (let i = 0; i < count; i++, at += ATTRIBUTE_WORDS) {
      const start = words[at + ATTRIBUTE_VALUE]!;
      this.#onAttribute(
        bytes[words[at + ATTRIBUTE_NAME]!]!,
        bytes,
        start,
        start + words[at + ATTRIBUTE_VALUE + 1]!,
      );
    }
  }

  /** As `prepareWasm` does, but at once: a page is read within one call. */
  #instantiate(): void {
    const instance = new WebAssembly.Instance(this.#module, { env: { event_listener: this.eventTrap } });
    this.wasmSaxParser = instance.exports as unknown as NonNullable<SAXParser['wasmSaxParser']>;
    this.wasmSaxParser.parser(this.events ?? 0);
  }
}
