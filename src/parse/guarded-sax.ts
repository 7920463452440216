/**
 * sax-wasm without its objects, and safe from its traps: what an event tells is read where it lies in wasm memory,
 * instead of through a detail object, a view and a string for each; and an instance that trapped is replaced.
 *
 * What the pointer of an event leads to (sax-wasm 3.1), in 32-bit words:
 * | struct    | words  | what                                      |
 * |-----------|--------|-------------------------------------------|
 * | Tag       | 1, 2   | name: address, length                     |
 * | Tag       | 4, 5   | attributes: address of the first, count   |
 * | Text      | 3, 4   | value: address, length                    |
 * | Attribute | 3, 4   | name: address, length                     |
 * | Attribute | 21, 22 | value: address, length                    |
 * Attributes lie 42 words apart.
 */
import { SAXParser } from 'sax-wasm';
import { saxWasmBytes } from '../model/assets.js';
import { DrumlineError, oneLine } from '../model/errors.js';
import { type WasmModule, WebAssembly } from './web-assembly.js';

export const TAG_NAME = 1;
export const TAG_ATTRIBUTES = 4;
export const TEXT_VALUE = 3;
export const ATTRIBUTE_NAME = 3;
export const ATTRIBUTE_VALUE = 21;
export const ATTRIBUTE_WORDS = 42;

/** Takes an event's number and the 32-bit word in wasm memory at which its struct begins. */
export type SaxListener = (event: number, word: number) => void;

let compiled: WasmModule | null = null;

export class GuardedSax extends SAXParser {
  constructor(events: number, listener: SaxListener) {
    super(events);
    this.eventTrap = (event, pointer) => listener(event, pointer >>> 2);
    this.replace();
  }

  /** The memory of the instance; valid until the next event or write. */
  get memory(): ArrayBuffer {
    return this.wasmSaxParser!.memory.buffer as ArrayBuffer;
  }

  /** Reads one more piece of a document, at most 64 KB. */
  feed(piece: Uint8Array): void {
    try {
      this.write(piece);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** The document has ended. */
  finish(): void {
    try {
      this.end();
    } catch (error) {
      this.#failed(error);
    }
  }

  /** A fresh instance: as `prepareWasm` does, but at once, because a page is read within one call. */
  replace(): void {
    compiled ??= new WebAssembly.Module(saxWasmBytes());
    const instance = new WebAssembly.Instance(compiled, { env: { event_listener: this.eventTrap } });
    this.wasmSaxParser = instance.exports as NonNullable<SAXParser['wasmSaxParser']>;
    this.wasmSaxParser.parser(this.events ?? 0);
  }

  /** A trap poisons the instance. It is the page's fault alone; what a listener throws goes on as it is. */
  #failed(error: unknown): never {
    this.replace();
    if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
    const message = `markup parser failed: ${oneLine(error)}`;
    throw new DrumlineError('MARKUP', message, 'drop-url', { cause: error });
  }
}
