/**
 * The keys that are stored: recent ones in memory, the others in runs on disk.
 *
 * Invariants:
 * 1. A key's value is that in `#recent`, else that in the newest run that holds it.
 * 2. A manifest names runs that are whole and durable; their files stay until a later manifest is confirmed.
 */
import type { Disk } from '../model/disk.js';
import { DamagedFileError, DrumlineError } from '../model/errors.js';
import type { KeyPlaces } from '../model/key-hash.js';
import { BlockReader } from './block-reader.js';
import { mergeRuns, runsToMerge } from './compaction.js';
import { CURRENT, type DrumFiles, isTemporary, runNumber } from './drum-files.js';
import { readManifest, writeManifest } from './manifest.js';
import type { MemoryPlan } from './memory-plan.js';
import { ENTRY_WORDS, sortEntries } from './radix-sort.js';
import { RecentKeys } from './recent-keys.js';
import { Run } from './run.js';
import { joinRun } from './run-join.js';
import { RunWriter } from './run-writer.js';
import type { SortedKeys } from './sorted-keys.js';

export class KeyStore {
  /** Files that no commit names, removed when the store was opened. */
  readonly removed: string[] = [];
  bytesWritten = 0;
  readonly #disk: Disk;
  readonly #files: DrumFiles;
  readonly #plan: MemoryPlan;
  readonly #valueBytes: number;
  readonly #recent: RecentKeys;
  /** Oldest first. */
  readonly #runs: Run[] = [];
  /** Files of runs replaced since the last manifest, which still names them; and before that, until it is confirmed. */
  #replaced: string[] = [];
  #obsolete: string[] = [];
  #nextRun = 1;
  /** Takes the keys of a merge that is too large for `#recent`. */
  #writer: RunWriter | null = null;
  #reader: BlockReader | null = null;
  #compactionBytesRead = 0;
  /** Is there anything that the last commit does not have? */
  #changed = false;

  /** Opens what the manifest at `path` names; an empty store if there is none. */
  constructor(
    disk: Disk,
    files: DrumFiles,
    plan: MemoryPlan,
    valueBytes: number,
    path: string,
    hash?: KeyPlaces,
  ) {
    this.#disk = disk;
    this.#files = files;
    this.#plan = plan;
    this.#valueBytes = valueBytes;
    this.#recent = new RecentKeys(valueBytes, hash);
    disk.makeDirectory(files.directory);
    try {
      this.#open(path);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get bytesRead(): number {
    return this.#compactionBytesRead + (this.#reader?.bytesRead ?? 0);
  }

  /** Keys stored; one that was updated may count once for each run that still holds it. */
  get keys(): number {
    return this.#runs.reduce((sum, run) => sum + run.keys, this.#recent.count);
  }

  /** Sets `found` and `values` of the keys. */
  find(keys: SortedKeys): void {
    keys.found.fill(0, 0, keys.count);
    this.#recent.find(keys);
    if (this.#runs.length === 0) return;
    this.#reader ??= new BlockReader(this.#plan.windowBlocks, this.#valueBytes);
    for (let i = this.#runs.length - 1; i >= 0; i--) joinRun(this.#runs[i]!, keys, this.#reader);
  }

  /** Keys that are in runs. */
  forEachKey(visit: (high: number, low: number) => void): void {
    const reader = new BlockReader(this.#plan.windowBlocks, this.#valueBytes);
    for (const run of this.#runs) {
      for (let block = 0; block < run.blocks; block++) {
        reader.load(run, block, run.blocks);
        for (let i = 0; i < reader.count; i++) visit(reader.high[i]!, reader.words[reader.lowStart + i]!);
      }
    }
  }

  /** Before `add`s of at most `expected` keys altogether. Ends with `endAdding`. */
  beginAdding(expected: number): void {
    if (this.#recent.count + expected <= this.#plan.recentKeys) return;
    this.#writeRecent();
    if (expected > this.#plan.recentKeys) this.#writer = this.#newWriter(expected);
  }

  /** Adds the first `count` keys, or replaces their values. Keys ascend from call to call. */
  add(keys: SortedKeys, count: number): void {
    if (count === 0) return;
    this.#changed = true;
    (this.#writer ?? this.#recent).add(keys.high, keys.low, keys.values, count);
  }

  endAdding(): void {
    const writer = this.#writer;
    if (writer === null) return;
    this.#writer = null;
    if (writer.keys === 0) writer.abandon();
    else this.#addRun(writer.finish());
    this.#compact();
  }

  /** Makes all that is stored durable. */
  commit(): void {
    if (!this.#changed && this.#disk.exists(this.#files.current)) return;
    this.save(this.#files.current);
    this.confirm();
  }

  /** Makes all that is stored durable under a manifest at `path`; what earlier manifests name stays until `confirm`. */
  save(path: string): void {
    this.#writeRecent();
    this.#compact();
    for (const run of this.#runs) {
      if (run.synced) continue;
      run.file.sync();
      run.synced = true;
    }
    this.#disk.syncDirectory(this.#files.directory);
    writeManifest(this.#disk, path, {
      valueBytes: this.#valueBytes,
      nextRun: this.#nextRun,
      runs: this.#runs,
    });
    for (const run of this.#runs) run.committed = true;
    this.#changed = false;
    this.#obsolete.push(...this.#replaced);
    this.#replaced = [];
  }

  /** Nobody will open a manifest older than the last one that was saved. */
  confirm(): void {
    const obsolete = this.#obsolete;
    this.#obsolete = [];
    for (const path of obsolete) this.#disk.remove(path);
  }

  close(): void {
    for (const run of this.#runs) run.file.close();
    this.#runs.length = 0;
    this.#writer?.abandon();
    this.#writer = null;
  }

  #open(path: string): void {
    const manifest = readManifest(this.#disk, path);
    if (manifest !== null && manifest.valueBytes !== this.#valueBytes) {
      throw new DrumlineError(
        'DRUM_VALUE_BYTES',
        `${path}: values of ${manifest.valueBytes} bytes, opened for ${this.#valueBytes}`,
      );
    }
    const named = new Set<number>();
    for (const { number, bytes, keys } of manifest?.runs ?? []) {
      const file = this.#files.run(number);
      if (!this.#disk.exists(file)) throw new DamagedFileError(file, 0, 'is missing');
      const run = Run.open(this.#disk, file, number, this.#valueBytes, this.#plan.indexEntries);
      this.#runs.push(run);
      if (run.bytes !== bytes || run.keys !== keys) {
        throw new DamagedFileError(
          file,
          0,
          `${run.bytes} bytes and ${run.keys} keys, not ${bytes} and ${keys}`,
        );
      }
      named.add(number);
    }
    this.#nextRun = manifest?.nextRun ?? 1;
    for (const name of this.#disk.list(this.#files.directory)) {
      const number = runNumber(name);
      if (name === CURRENT || named.has(number) || (number < 0 && !isTemporary(name))) continue;
      this.#disk.remove(this.#files.named(name));
      this.removed.push(name);
    }
  }

  /** Sorts the recent keys and writes them as a run. */
  #writeRecent(): void {
    const count = this.#recent.count;
    if (count === 0) return;
    const entries = new Uint32Array(ENTRY_WORDS * count);
    this.#recent.copyTo(entries);
    sortEntries(entries, new Uint32Array(entries.length), count, 0);
    const high = new Uint32Array(1);
    const low = new Uint32Array(1);
    const value = new Uint8Array(this.#valueBytes);
    const writer = this.#newWriter(count);
    for (let i = 0; i < entries.length; i += ENTRY_WORDS) {
      high[0] = entries[i]!;
      low[0] = entries[i + 1]!;
      this.#recent.copyValue(entries[i + 2]!, value, 0);
      writer.add(high, low, value, 1);
    }
    this.#addRun(writer.finish());
    this.#recent.clear();
  }

  #newWriter(expected: number): RunWriter {
    const number = this.#nextRun++;
    return new RunWriter(this.#disk, this.#files.run(number), number, expected, {
      valueBytes: this.#valueBytes,
      windowBlocks: this.#plan.windowBlocks,
      indexEntries: this.#plan.indexEntries,
    });
  }

  #addRun(run: Run): void {
    this.#runs.push(run);
    this.bytesWritten += run.bytes;
  }

  #compact(): void {
    for (;;) {
      const sizes = this.#runs.map((run) => run.keys);
      const count = runsToMerge(sizes, this.#plan.compactionRuns);
      if (count === 0) return;
      const old = this.#runs.slice(-count);
      const writer = this.#newWriter(old.reduce((sum, run) => sum + run.keys, 0));
      try {
        this.#compactionBytesRead += mergeRuns(old, writer, this.#plan, this.#valueBytes);
      } catch (error) {
        writer.abandon();
        throw error;
      }
      this.#runs.length -= count;
      this.#addRun(writer.finish());
      this.#reader?.forget();
      for (const run of old) {
        run.file.close();
        if (run.committed) this.#replaced.push(run.path);
        else this.#disk.remove(run.path);
      }
    }
  }
}
