/**
 * Stores pages until it is killed, says which were acknowledged, and saves its state now and then; begins where the
 * last state was saved. Arguments: directory.
 */
import { existsSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreState } from '#drumline/store/page-store.js';
import { exchange, livePage } from './exchanges.js';
import { openStore } from './open-store.js';

const PAGES_PER_STATE = 30;

export interface WriterState {
  /** The first page that the state does not have. */
  readonly next: number;
  readonly store: StoreState;
}

export const stateFile = (directory: string): string => join(directory, 'state.json');

export function loadState(directory: string): WriterState | null {
  const path = stateFile(directory);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as WriterState) : null;
}

function run(directory: string): never {
  const state = loadState(directory);
  const store = openStore(directory, { maxBytes: 300_000, state: state?.store });
  for (let i = state?.next ?? 0; ; i++) {
    const page = livePage(200, [], `page ${i} `.repeat(1 + ((i * 7919) % 3000)));
    store.store(exchange(`http://a.example/${i}`, page), ({ file, offset }) =>
      writeSync(1, `${i} ${file} ${offset}\n`),
    );
    if (i % PAGES_PER_STATE !== 0) continue;
    const path = stateFile(directory);
    writeFileSync(`${path}.new`, JSON.stringify({ next: i + 1, store: store.save('', 1) }));
    renameSync(`${path}.new`, path);
  }
}

if (process.argv[2] !== undefined && process.argv[1]!.endsWith('crash-writer.js')) run(process.argv[2]);
