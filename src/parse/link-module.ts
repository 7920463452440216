/**
 * An instance of the module that `src/parse/wasm` becomes, and its memory as arrays. Its regions, and what must stand in
 * them, are told in `wasm/index.ts`.
 */
import { linkModuleBytes } from '../model/assets.js';
import { DrumlineError, oneLine } from '../model/errors.js';
import { type WasmModule, WebAssembly } from './web-assembly.js';

/** What the module asks for: `wasm/host.ts` says what each is. Places are addresses in its memory. */
export interface LinkHost {
  decodeValue(at: number, end: number, to: number): number;
  takeBase(at: number, end: number): void;
  takeMeta(at: number, end: number, isRobots: number, isRefresh: number): number;
  resolveSlowly(at: number, end: number, to: number): number;
}

interface Global {
  readonly value: number;
}

/** What the module offers: `wasm/index.ts` says what each is. */
export interface LinkExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  robotsNamesAt(): number;
  layPage(length: number, capacity: number): number;
  prescan(): void;
  nextLabel(): number;
  labelAt(): number;
  labelBytes(): number;
  setUtf8(is: number): void;
  scan(from: number, capacity: number, isXml: number, keepsRepeated: number): void;
  readonly count: Global;
  readonly dropped: Global;
  readonly repeated: Global;
  linkBytes(): number;
  bytesAt(): number;
  endsAt(): number;
  kindsAt(): number;
  baseAt(): number;
  setBase(length: number): void;
  layLinks(length: number, count: number): void;
  linksAt(): number;
  linkEndsAt(): number;
  linkKindsAt(): number;
  resolveLinks(count: number, first: number, from: number): number;
  leftOut(): number;
  urlsAt(): number;
  urlBytes(): number;
  urlEndsAt(): number;
  hostStartsAt(): number;
  hostEndsAt(): number;
  keysAt(): number;
  siteKeysAt(): number;
}

/**
 * A page that is larger makes the memory large for good: such an instance is replaced. Pages up to `--max-body` as it is by default
 * are not: instances that are gone keep their memory until they are collected, so that large pages in a row had several of them.
 */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/** What nobody offers nobody asks for. */
function never(): never {
  throw new Error('the module asked for what its host does not offer');
}
const NO_HOST: LinkHost = { decodeValue: never, takeBase: never, takeMeta: never, resolveSlowly: never };

let compiled: WasmModule | null = null;

export class LinkModule {
  readonly #host: Partial<LinkHost>;
  #exports: LinkExports;
  #bytes: Uint8Array<ArrayBuffer>;
  #words: Uint32Array;

  /** `host` needs what those of the module's functions ask for that are called. */
  constructor(host: Partial<LinkHost>) {
    this.#host = host;
    this.#exports = this.#instance();
    this.#bytes = new Uint8Array(this.#exports.memory.buffer);
    this.#words = new Uint32Array(this.#exports.memory.buffer);
  }

  get exports(): LinkExports {
    return this.#exports;
  }

  /** The memory; good until the module runs again. */
  get bytes(): Uint8Array<ArrayBuffer> {
    if (this.#bytes.length === 0) this.#view();
    return this.#bytes;
  }

  /** The same, word by word: that of address a is at a / 4. */
  get words(): Uint32Array {
    if (this.#bytes.length === 0) this.#view();
    return this.#words;
  }

  /** A fresh instance, if this one's memory has become large. Returns whether it is one. */
  renew(): boolean {
    if (this.bytes.length <= MAX_KEPT_BYTES) return false;
    this.replace();
    return true;
  }

  replace(): void {
    this.#exports = this.#instance();
    this.#view();
  }

  /**
   * What is to be thrown for what a call threw: a trap, which is memory that can't be had, is the page's fault alone; what
   * the host threw goes on as it is. A trap poisons the instance, which is replaced.
   */
  failed(error: unknown): unknown {
    this.replace();
    if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) return error;
    const message = `links could not be read: ${oneLine(error)}`;
    return new DrumlineError('MARKUP', message, 'drop-url', { cause: error });
  }

  #instance(): LinkExports {
    compiled ??= new WebAssembly.Module(linkModuleBytes());
    return new WebAssembly.Instance(compiled, { host: { ...NO_HOST, ...this.#host } }).exports as LinkExports;
  }

  /** Arrays over a memory end when it grows. */
  #view(): void {
    const { buffer } = this.#exports.memory;
    this.#bytes = new Uint8Array(buffer);
    this.#words = new Uint32Array(buffer);
  }
}
