/** Ways to tell which of a stream of keys are new: the DRUM and what it is compared with. */
import { createRequire } from 'node:module';
import { Drum } from '#drumline/drum/drum.js';
import { DrumBatch } from '#drumline/drum/drum-batch.js';
import { KeyStream } from './key-stream.js';

export const SEED = 20_260;
const BATCH = 4096;
export const FLUSHES = 201;

export interface Result {
  /** Fewer than were asked for if time was up. */
  checks: number;
  unique: number;
  merges?: number;
  bytesRead?: number;
  bytesWritten?: number;
  /** Of flushes of ten keys. */
  flushMilliseconds?: { median: number; worst: number };
}

export interface Task {
  readonly checks: number;
  readonly memoryBytes: number;
  /** Empty, and removed afterwards. */
  readonly directory: string;
  /** For databases, which take minutes. */
  readonly limitSeconds: number;
}

type Contender = (task: Task) => Promise<Result>;

export const contenders: Readonly<Record<string, Contender>> = {
  drum: (task) => runDrum(task, 0),
  /** With an aux as long as a URL. */
  'drum+url': (task) => runDrum(task, 64),
  set: runSet,
  leveldb: runLevelDb,
  lmdb: runLmdb,
  /** Ten keys at a time with `checks` stored. */
  flush: runFlushes,
};

async function runDrum({ checks, memoryBytes, directory }: Task, auxBytes: number): Promise<Result> {
  let unique = 0;
  const drum = Drum.open({ directory, memoryBytes }, ({ count, outcomes }) => {
    for (let i = 0; i < count; i++) if (outcomes[i] === 0) unique++;
  });
  const stream = new KeyStream(SEED, BATCH);
  const batch = new DrumBatch();
  const aux = new Uint8Array(auxBytes).fill(97);
  for (let left = checks; left > 0; left -= BATCH) {
    fillBatch(batch, stream, Math.min(BATCH, left), aux);
    drum.checkUpdate(batch);
  }
  drum.flush();
  drum.commit();
  const result = { ...drum.statistics, unique };
  drum.close();
  return result;
}

/** Stores `keys` keys, then flushes ten at a time, half of them new. */
async function runFlushes({ checks: keys, memoryBytes, directory }: Task): Promise<Result> {
  const drum = Drum.open({ directory, memoryBytes }, () => {});
  const batch = new DrumBatch();
  const aux = new Uint8Array(0);
  const allNew = new KeyStream(SEED, BATCH, 1);
  for (let left = keys; left > 0; left -= BATCH) {
    fillBatch(batch, allNew, Math.min(BATCH, left), aux);
    drum.checkUpdate(batch);
  }
  drum.flush();
  drum.commit();
  const stream = new KeyStream(SEED, BATCH);
  stream.distinct = keys;
  const times: number[] = [];
  const before = { ...drum.statistics };
  for (let round = 0; round < FLUSHES; round++) {
    fillBatch(batch, stream, 10, aux);
    drum.checkUpdate(batch);
    const start = performance.now();
    drum.flush();
    times.push(performance.now() - start);
  }
  const { unique, bytesRead } = drum.statistics;
  drum.close();
  times.sort((a, b) => a - b);
  return {
    checks: keys,
    unique: unique - before.unique,
    bytesRead: bytesRead - before.bytesRead,
    flushMilliseconds: { median: times[FLUSHES >>> 1]!, worst: times[FLUSHES - 1]! },
  };
}

function fillBatch(batch: DrumBatch, stream: KeyStream, count: number, aux: Uint8Array): void {
  const { keys } = stream;
  stream.fill(count);
  batch.clear();
  for (let i = 0; i < 2 * count; i += 2) batch.add(keys[i]!, keys[i + 1]!, aux, 0, aux.length);
}

/** 53 bits of the key as a number, which is what a Set does fastest. */
async function runSet({ checks }: Task): Promise<Result> {
  const stream = new KeyStream(SEED, BATCH);
  const { keys } = stream;
  const seen = new Set<number>();
  let unique = 0;
  for (let left = checks; left > 0; left -= BATCH) {
    const count = Math.min(BATCH, left);
    stream.fill(count);
    for (let i = 0; i < 2 * count; i += 2) {
      const key = keyNumber(keys[i]!, keys[i + 1]!);
      if (seen.has(key)) continue;
      seen.add(key);
      unique++;
    }
  }
  return { checks, unique };
}

function keyNumber(low: number, high: number): number {
  return (high & 0x1f_ffff) * 2 ** 32 + low;
}

const PEERS: Readonly<Record<string, string>> = { leveldb: 'classic-level', lmdb: 'lmdb' };

interface Level {
  open(): Promise<void>;
  getMany(keys: Uint8Array[]): Promise<(Uint8Array | undefined)[]>;
  batch(operations: { type: 'put'; key: Uint8Array; value: Uint8Array }[]): Promise<void>;
  close(): Promise<void>;
}

async function runLevelDb(task: Task): Promise<Result> {
  const { ClassicLevel } = loadPeer<{
    ClassicLevel: new (directory: string, options: object) => Level;
  }>('classic-level');
  const options = {
    keyEncoding: 'view',
    valueEncoding: 'view',
    cacheSize: task.memoryBytes,
    compression: false,
  };
  const level = new ClassicLevel(task.directory, options);
  await level.open();
  const value = new Uint8Array(0);
  const result = await runDatabase(task, async (keys) => {
    const found = await level.getMany(keys);
    const fresh = keys.filter((_, i) => found[i] === undefined);
    await level.batch(fresh.map((key) => ({ type: 'put', key, value })));
    return fresh.length;
  });
  await level.close();
  return result;
}

interface Lmdb {
  doesExist(key: Uint8Array): boolean;
  putSync(key: Uint8Array, value: Uint8Array): void;
  transactionSync(work: () => void): void;
  close(): Promise<void>;
}

async function runLmdb(task: Task): Promise<Result> {
  const { open } = loadPeer<{ open(options: object): Lmdb }>('lmdb');
  const database = open({ path: task.directory, keyEncoding: 'binary', encoding: 'binary', noSync: true });
  const value = new Uint8Array(0);
  const result = await runDatabase(task, async (keys) => {
    let unique = 0;
    database.transactionSync(() => {
      for (const key of keys) {
        if (database.doesExist(key)) continue;
        database.putSync(key, value);
        unique++;
      }
    });
    return unique;
  });
  await database.close();
  return result;
}

/** `checkUpdate` returns how many of the keys were new. */
async function runDatabase(
  task: Task,
  checkUpdate: (keys: Uint8Array[]) => Promise<number>,
): Promise<Result> {
  const stream = new KeyStream(SEED, BATCH);
  const timeIsUp = performance.now() + 1000 * task.limitSeconds;
  let checks = 0;
  let unique = 0;
  while (checks < task.checks && performance.now() < timeIsUp) {
    const count = Math.min(BATCH, task.checks - checks);
    unique += await checkUpdate(distinctKeys(stream, count));
    checks += count;
  }
  return { checks, unique };
}

/** The next keys, each once: the databases need not see a key twice within a batch. */
function distinctKeys(stream: KeyStream, count: number): Uint8Array[] {
  stream.fill(count);
  const distinct = new Map<number, Uint8Array>();
  for (let i = 0; i < 2 * count; i += 2) {
    const low = stream.keys[i]!;
    const high = stream.keys[i + 1]!;
    const key = Buffer.allocUnsafe(8);
    key.writeUInt32BE(high, 0);
    key.writeUInt32BE(low, 4);
    distinct.set(keyNumber(low, high), key);
  }
  return Array.from(distinct.values());
}

const requirePeer = createRequire(new URL('../../../bench/peers/package.json', import.meta.url));

function loadPeer<T>(name: string): T {
  return requirePeer(name) as T;
}

/** The package that a contender needs and that is not installed, or null. */
export function missingPeer(contender: string): string | null {
  const name = PEERS[contender];
  if (name === undefined) return null;
  try {
    requirePeer.resolve(name);
    return null;
  } catch {
    return name;
  }
}
