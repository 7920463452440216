/** What a Drum should answer, by a Map; and the answers of a Drum in the same words. */
import { crc32 } from 'node:zlib';
import { Drum, type DrumAnswers, DUPLICATE, UNIQUE, UPDATED } from '#drumline/drum/drum.js';
import { DrumBatch } from '#drumline/drum/drum-batch.js';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';
import type { Random } from '#drumline/simulate/random.js';

export type Kind = 'check' | 'update' | 'checkUpdate';

export interface Operation {
  readonly kind: Kind;
  readonly low: number;
  readonly high: number;
  readonly value: Uint8Array;
  readonly aux: Uint8Array;
}

/** Enough that a small budget spills several times before a merge pays. */
const BASE_KEYS = 30_000;

const outcomes = { [UNIQUE]: 'unique', [DUPLICATE]: 'duplicate', [UPDATED]: 'updated' };

/** Long aux would drown a failure's message: its length and a checksum stand for it. */
function describe(
  outcome: string,
  low: number,
  high: number,
  value: Uint8Array | null,
  aux: Uint8Array,
): string {
  const told = value === null || value.length === 0 ? '' : value.join('.');
  return `${outcome} ${high}:${low} ${told} ${aux.length}/${crc32(aux)}`;
}

export class ModelDrum {
  stored = new Map<string, Uint8Array>();
  readonly expected: string[] = [];
  /** What was stored at the beginning; many models may share it. */
  readonly #base: ReadonlyMap<string, Uint8Array>;

  constructor(base: ReadonlyMap<string, Uint8Array> = new Map()) {
    this.#base = base;
  }

  apply(operation: Operation): void {
    const { kind, low, high, value, aux } = operation;
    const key = `${high}:${low}`;
    const before = this.stored.get(key) ?? this.#base.get(key);
    const duplicate = before !== undefined;
    if (kind === 'update' || (kind === 'checkUpdate' && !duplicate)) this.stored.set(key, value);
    const outcome = kind === 'update' ? 'updated' : duplicate ? 'duplicate' : 'unique';
    const told = kind === 'update' || !duplicate ? value : before;
    this.expected.push(describe(outcome, low, high, kind === 'check' && !duplicate ? null : told, aux));
  }
}

/** Collects a Drum's answers as text; `kinds` are those of the operations it was handed, in order. */
export class AnswerList {
  readonly answers: string[] = [];
  readonly kinds: Kind[] = [];
  readonly #valueBytes: number;

  constructor(valueBytes: number) {
    this.#valueBytes = valueBytes;
  }

  readonly dispatcher = (answers: DrumAnswers): void => {
    const { keys, values, aux, auxStarts, auxEnds } = answers;
    const size = this.#valueBytes;
    for (let i = 0; i < answers.count; i++) {
      const outcome = outcomes[answers.outcomes[i] as 0 | 1 | 2];
      const kind = this.kinds[this.answers.length];
      const value = kind === 'check' && outcome === 'unique' ? null : values.slice(i * size, (i + 1) * size);
      const auxBytes = aux.slice(auxStarts[i], auxEnds[i]);
      this.answers.push(describe(outcome, keys[2 * i]!, keys[2 * i + 1]!, value, auxBytes));
    }
  };
}

/** Operations of one kind, as a batch, by one of the ways to fill it. */
export function toBatch(operations: readonly Operation[], valueBytes: number, batch: DrumBatch): DrumBatch {
  batch.clear();
  for (const { low, high, value, aux } of operations) {
    if (valueBytes !== 0) {
      batch.addWithValue(low, high, value, aux, 0, aux.length);
    } else if (aux.length % 2 === 0) {
      batch.add(low, high, aux, 0, aux.length);
    } else {
      const at = batch.reserve(aux.length + 5);
      batch.aux.set(aux, at);
      batch.commitAux(low, high, aux.length);
    }
  }
  return batch;
}

function hashedKey(n: number): [low: number, high: number] {
  const hash = Math.imul(n + 1, 0x9e3779b1) >>> 0;
  return [Math.imul(hash, 0x85ebca6b) >>> 0, hash];
}

/** How keys are drawn: few of them repeat often, some crowd in one bucket, some are hashes. */
export function keyMaker(random: Random): () => [low: number, high: number] {
  const shape = random.below(5);
  const range = random.pick([3, 40, 700, 20_000]);
  return () => {
    const n = random.below(range);
    const key = hashedKey(n);
    if (shape === 0) return [n, 0];
    if (shape === 1) return [0xffff_ffff - n, 0xffff_ffff];
    if (shape === 2) return [0, n];
    if (shape === 3) return [n & 3, key[1]];
    return key;
  };
}

/** Files of a store with the hashes that `keyMaker` draws from, and what is in it. */
export function makeBase(
  valueBytes: number,
): [files: Map<string, Uint8Array>, stored: Map<string, Uint8Array>] {
  const disk = new MemoryDisk();
  const drum = Drum.open({ directory: '/drum', memoryBytes: 1 << 20, valueBytes, disk }, () => {});
  const batch = new DrumBatch(valueBytes);
  const stored = new Map<string, Uint8Array>();
  for (let n = 0; n < BASE_KEYS; n++) {
    const [low, high] = hashedKey(2 * n);
    const value = new Uint8Array(valueBytes).fill(n);
    batch.addWithValue(low, high, value, value, 0, 0);
    stored.set(`${high}:${low}`, value);
  }
  drum.checkUpdate(batch);
  drum.flush();
  drum.commit();
  drum.close();
  return [disk.files(), stored];
}
