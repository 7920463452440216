/** As much of WebAssembly as is used here: its types come with the DOM's alone. */
export interface WasmModule {
  readonly __wasmModule: never;
}

interface Wasm {
  Module: new (bytes: Uint8Array) => WasmModule;
  Instance: new (module: WasmModule, imports: object) => { readonly exports: object };
  RuntimeError: new () => Error;
}

export const { WebAssembly } = globalThis as unknown as { WebAssembly: Wasm };
