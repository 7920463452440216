/** Names of files, with those of each directory at hand. A directory is there as long as something is in it. */
import { dirname } from 'node:path';

export class NameTable<File> {
  readonly #files = new Map<string, File>();
  readonly #inside = new Map<string, Set<string>>();

  get size(): number {
    return this.#files.size;
  }

  get(path: string): File | undefined {
    return this.#files.get(path);
  }

  has(path: string): boolean {
    return this.#files.has(path) || this.#inside.has(path);
  }

  set(path: string, file: File): void {
    const isKnown = this.#files.has(path);
    this.#files.set(path, file);
    if (isKnown) return;
    let child = path;
    for (let parent = dirname(path); parent !== child; parent = dirname(parent)) {
      const names = this.#inside.get(parent);
      if (names?.has(child)) return;
      if (names === undefined) this.#inside.set(parent, new Set([child]));
      else names.add(child);
      child = parent;
    }
  }

  delete(path: string): void {
    this.#files.delete(path);
    let child = path;
    for (let parent = dirname(path); parent !== child; parent = dirname(parent)) {
      const names = this.#inside.get(parent);
      names?.delete(child);
      if (names === undefined || names.size > 0) return;
      this.#inside.delete(parent);
      child = parent;
    }
  }

  /** Paths of files and directories in a directory. */
  childrenOf(directory: string): readonly string[] {
    return [...(this.#inside.get(directory) ?? [])];
  }

  /** All files at or below a path. */
  below(path: string): string[] {
    if (this.#files.has(path)) return [path];
    return this.childrenOf(path).flatMap((child) => this.below(child));
  }

  [Symbol.iterator](): IterableIterator<[string, File]> {
    return this.#files.entries();
  }
}
