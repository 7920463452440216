/**
 * `drum [--full] [--checks 1,5,20,50] [--memory 256] [--only drum,drum+url,set,leveldb,lmdb]`: millions of
 * checks, half of them duplicates, by the DRUM and by what it is compared with. Databases take minutes for
 * 50 million checks, so they stop at 20 without `--full`.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Row } from './contender-process.js';
import { contenders, SEED } from './contenders.js';

const PROCESS = fileURLToPath(new URL('contender-process.js', import.meta.url));
/** A Set takes at most 2^24 keys. */
const SET_MILLIONS = 33;
const DATABASE_MILLIONS = 20;
const COLUMNS = [
  'contender',
  'checks',
  'checks/s',
  'CPU ns/check',
  'peak RSS',
  'read/check',
  'written/check',
  'merges',
  'flush of 10',
];

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      full: { type: 'boolean', default: false },
      checks: { type: 'string' },
      memory: { type: 'string', default: '256' },
      only: { type: 'string', default: Object.keys(contenders).join() },
    },
  });
  const sizes = (values.checks ?? (values.full ? '1,5,20,50,100' : '1,5,20,50')).split(',').map(Number);
  const memoryBytes = Number(values.memory) * 2 ** 20;
  console.log(
    `seed ${SEED}, half duplicates, ${values.memory} MB for the DRUM, each row in a process of its own`,
  );
  console.log(COLUMNS.map((name, i) => pad(name, i)).join('  '));
  for (const millions of sizes) {
    for (const name of values.only.split(',')) {
      if (name === 'set' && millions > SET_MILLIONS) continue;
      if ((name === 'leveldb' || name === 'lmdb') && millions > DATABASE_MILLIONS && !values.full) continue;
      printRow(name, millions, measure(name, millions * 1e6, memoryBytes));
    }
  }
}

function measure(name: string, checks: number, memoryBytes: number): Row {
  const output = execFileSync(process.execPath, [PROCESS, name, String(checks), String(memoryBytes)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(output) as Row;
}

function printRow(name: string, millions: number, row: Row): void {
  const checks = millions * 1e6;
  const perCheck = (bytes: number | undefined) =>
    bytes === undefined ? '' : `${(bytes / checks).toFixed(1)} B`;
  const cells = [
    name,
    `${millions} M`,
    `${(checks / row.seconds / 1e6).toFixed(2)} M`,
    ((row.cpuSeconds * 1e9) / checks).toFixed(0),
    `${(row.peakRssBytes / 2 ** 20).toFixed(0)} MB`,
    perCheck(row.bytesRead),
    perCheck(row.bytesWritten),
    row.merges === undefined ? '' : String(row.merges),
    row.flushMilliseconds === undefined ? '' : `${row.flushMilliseconds.toFixed(2)} ms`,
  ];
  console.log(cells.map(pad).join('  '));
}

function pad(cell: string, column: number): string {
  return column === 0 ? cell.padEnd(9) : cell.padStart(COLUMNS[column]!.length);
}
