/** Ways to tell which of a stream of keys are new: the DRUM and what it is compared with. */
import { createRequire } from 'node:module';
import { Drum } from '#drumline/drum/drum.js';
import { DrumBatch } from '#drumline/drum/drum-batch.js';
import { KeyStream } from './key-stream.js';

export const SEED = 20_260;
const BATCH = 4096;

export interface Result {
  unique: number;
  merges?: number;
  bytesRead?: number;
  bytesWritten?: number;
  /** Milliseconds of a flush of ten keys, median. */
  flushMilliseconds?: number;
}

/** Sees `checks` keys; `directory` is empty, and removed afterwards. */
type Contender = (checks: number, memoryBytes: number, directory: string) => Promise<Result>;

export const contenders: Readonly<Record<string, Contender>> = {
  drum: (checks, memoryBytes, directory) => runDrum(checks, memoryBytes, directory, 0),
  /** With an aux as long as a URL. */
  'drum+url': (checks, memoryBytes, directory) => runDrum(checks, memoryBytes, directory, 64),
  set: runSet,
  leveldb: runLevelDb,
  lmdb: runLmdb,
};

async function runDrum(
  checks: number,
  memoryBytes: number,
  directory: string,
  auxBytes: number,
): Promise<Result> {
  let unique = 0;
  const drum = Drum.open({ directory, memoryBytes }, ({ count, outcomes }) => {
    for (let i = 0; i < count; i++) if (outcomes[i] === 0) unique++;
  });
  const stream = new KeyStream(SEED);
  const batch = new DrumBatch();
  const aux = new Uint8Array(auxBytes).fill(97);
  for (let left = checks; left > 0; left -= BATCH) {
    batch.clear();
    for (let i = Math.min(BATCH, left); i > 0; i--) {
      stream.next();
      batch.add(stream.low, stream.high, aux, 0, auxBytes);
    }
    drum.checkUpdate(batch);
  }
  drum.flush();
  drum.commit();
  const result = { ...drum.statistics, unique };
  drum.close();
  return result;
}

/** The median time of a flush of ten keys, half of them new, on the store that `runDrum` left. */
export function flushTime(memoryBytes: number, directory: string): number {
  const drum = Drum.open({ directory, memoryBytes }, () => {});
  const batch = new DrumBatch();
  const aux = new Uint8Array(0);
  const stream = new KeyStream(SEED);
  stream.distinct = drum.keys;
  const times: number[] = [];
  for (let round = 0; round < 51; round++) {
    batch.clear();
    for (let i = 0; i < 10; i++) {
      stream.next();
      batch.add(stream.low, stream.high, aux, 0, 0);
    }
    drum.checkUpdate(batch);
    const start = performance.now();
    drum.flush();
    times.push(performance.now() - start);
  }
  drum.close();
  return times.sort((a, b) => a - b)[times.length >>> 1]!;
}

/** 53 bits of the key as a number, which is what a Set does fastest. */
async function runSet(checks: number): Promise<Result> {
  const stream = new KeyStream(SEED);
  const seen = new Set<number>();
  let unique = 0;
  for (let i = 0; i < checks; i++) {
    stream.next();
    const key = (stream.high & 0x1f_ffff) * 2 ** 32 + stream.low;
    if (seen.has(key)) continue;
    seen.add(key);
    unique++;
  }
  return { unique };
}

interface Level {
  open(): Promise<void>;
  getMany(keys: Uint8Array[]): Promise<(Uint8Array | undefined)[]>;
  batch(operations: { type: 'put'; key: Uint8Array; value: Uint8Array }[]): Promise<void>;
  close(): Promise<void>;
}

async function runLevelDb(checks: number, memoryBytes: number, directory: string): Promise<Result> {
  const { ClassicLevel } = loadPeer<{
    ClassicLevel: new (directory: string, options: object) => Level;
  }>('classic-level');
  const options = { keyEncoding: 'view', valueEncoding: 'view', cacheSize: memoryBytes, compression: false };
  const level = new ClassicLevel(directory, options);
  await level.open();
  const stream = new KeyStream(SEED);
  const value = new Uint8Array(0);
  let unique = 0;
  for (let left = checks; left > 0; left -= BATCH) {
    const keys = distinctKeys(stream, Math.min(BATCH, left));
    const found = await level.getMany(keys);
    const fresh = keys.filter((_, i) => found[i] === undefined);
    await level.batch(fresh.map((key) => ({ type: 'put', key, value })));
    unique += fresh.length;
  }
  await level.close();
  return { unique };
}

interface Lmdb {
  doesExist(key: Uint8Array): boolean;
  putSync(key: Uint8Array, value: Uint8Array): void;
  transactionSync(work: () => void): void;
  close(): Promise<void>;
}

async function runLmdb(checks: number, _memoryBytes: number, directory: string): Promise<Result> {
  const { open } = loadPeer<{ open(options: object): Lmdb }>('lmdb');
  const database = open({ path: directory, keyEncoding: 'binary', encoding: 'binary', noSync: true });
  const stream = new KeyStream(SEED);
  const value = new Uint8Array(0);
  let unique = 0;
  for (let left = checks; left > 0; left -= BATCH) {
    const keys = distinctKeys(stream, Math.min(BATCH, left));
    database.transactionSync(() => {
      for (const key of keys) {
        if (database.doesExist(key)) continue;
        database.putSync(key, value);
        unique++;
      }
    });
  }
  await database.close();
  return { unique };
}

/** The next keys, each once: the databases need not see a key twice within a batch. */
function distinctKeys(stream: KeyStream, count: number): Uint8Array[] {
  const keys = new Map<number, Uint8Array>();
  for (let i = 0; i < count; i++) {
    stream.next();
    const key = Buffer.allocUnsafe(8);
    key.writeUInt32BE(stream.high, 0);
    key.writeUInt32BE(stream.low, 4);
    keys.set((stream.high & 0x1f_ffff) * 2 ** 32 + stream.low, key);
  }
  return Array.from(keys.values());
}

function loadPeer<T>(name: string): T {
  const require = createRequire(new URL('../../../bench/peers/package.json', import.meta.url));
  try {
    return require(name) as T;
  } catch (cause) {
    throw new Error(`${name} is missing: npm install --prefix bench/peers`, { cause });
  }
}
