/**
 * `drum [--full] [--checks 1,5,20,50] [--memory 256] [--only drum,drum+url,set,leveldb,lmdb] [--limit 180]`:
 * millions of checks, half of them duplicates, by the DRUM and by what it is compared with; then flushes of
 * ten keys. A database that takes longer than the limit is stopped there, and its rate so far is shown.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Row } from './contender-process.js';
import { contenders, FLUSHES, missingPeer, SEED } from './contenders.js';

const PROCESS = fileURLToPath(new URL('contender-process.js', import.meta.url));
/** A Set takes at most 2^24 keys. */
const SET_MILLIONS = 33;
const FLUSH_MILLIONS = 50;
const COLUMNS = [
  'contender',
  'checks',
  'checks/s',
  'CPU ns/check',
  'peak RSS',
  'read/check',
  'written/check',
  'merges',
  '',
];

interface Setting {
  readonly memoryBytes: number;
  readonly limitSeconds: number;
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      full: { type: 'boolean', default: false },
      checks: { type: 'string' },
      memory: { type: 'string', default: '256' },
      only: { type: 'string', default: Object.keys(contenders).join() },
      limit: { type: 'string', default: '180' },
    },
  });
  const sizes = (values.checks ?? (values.full ? '1,5,20,50,100' : '1,5,20,50')).split(',').map(Number);
  const setting = { memoryBytes: Number(values.memory) * 2 ** 20, limitSeconds: Number(values.limit) };
  const names = values.only.split(',').filter((name) => {
    const missing = missingPeer(name);
    if (missing !== null) console.log(`${name} is left out: npm install --prefix bench/peers`);
    return missing === null;
  });
  console.log(
    `seed ${SEED}, half duplicates, ${values.memory} MB for the DRUM, each row in a process of its own`,
  );
  console.log(COLUMNS.map(pad).join('  '));
  const rows = new Map<string, Row>();
  for (const millions of sizes) {
    let whole: Row | undefined;
    for (const name of names) {
      if (name === 'flush' || (name === 'set' && millions > SET_MILLIONS)) continue;
      const row = measure(name, millions * 1e6, setting);
      rows.set(`${name} ${millions}`, row);
      printRow(name, millions, row);
      if (row.checks < millions * 1e6) continue;
      whole ??= row;
      if (row.unique !== whole.unique)
        throw new Error(`${name} found ${row.unique} unique, not ${whole.unique}`);
    }
  }
  compare(rows);
  if (names.includes('flush')) measureFlushes(setting);
}

function measure(name: string, checks: number, { memoryBytes, limitSeconds }: Setting): Row {
  const args = [PROCESS, name, String(checks), String(memoryBytes), String(limitSeconds)];
  const output = execFileSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(output) as Row;
}

const rate = (row: Row): number => row.checks / row.seconds;
const nanoseconds = (row: Row): number => (row.cpuSeconds * 1e9) / row.checks;

function printRow(name: string, millions: number, row: Row): void {
  const perCheck = (bytes: number | undefined) =>
    bytes === undefined ? '' : `${(bytes / row.checks).toFixed(1)} B`;
  const cells = [
    name,
    `${millions} M`,
    `${(rate(row) / 1e6).toFixed(2)} M`,
    nanoseconds(row).toFixed(0),
    `${(row.peakRssBytes / 2 ** 20).toFixed(0)} MB`,
    perCheck(row.bytesRead),
    perCheck(row.bytesWritten),
    row.merges === undefined ? '' : String(row.merges),
    row.checks < millions * 1e6 ? `stopped at ${(row.checks / 1e6).toFixed(1)} M` : '',
  ];
  console.log(cells.map(pad).join('  ').trimEnd());
}

/** The ratios that matter, where both rows are there. */
function compare(rows: ReadonlyMap<string, Row>): void {
  const ratio = (what: string, of: string, to: string, figure: (row: Row) => number) => {
    const [a, b] = [rows.get(of), rows.get(to)];
    if (a !== undefined && b !== undefined) console.log(`${what}: ${(figure(a) / figure(b)).toFixed(2)}`);
  };
  ratio('checks/s of the DRUM to those of the Set, 20 M', 'drum 20', 'set 20', rate);
  ratio('checks/s of the DRUM to those of LevelDB, 20 M', 'drum 20', 'leveldb 20', rate);
  ratio('checks/s of the DRUM to those of LMDB, 20 M', 'drum 20', 'lmdb 20', rate);
  ratio('CPU of a check at 50 M to that at 5 M', 'drum 50', 'drum 5', nanoseconds);
  ratio('time of a check at 50 M to that at 5 M', 'drum 5', 'drum 50', rate);
}

function measureFlushes(setting: Setting): void {
  const { bytesRead, flushMilliseconds } = measure('flush', FLUSH_MILLIONS * 1e6, setting);
  const { median, worst } = flushMilliseconds!;
  console.log(
    `flush of 10 keys with ${FLUSH_MILLIONS} M stored: median ${median.toFixed(2)} ms, ` +
      `worst ${worst.toFixed(2)} ms of ${FLUSHES}; ${(bytesRead! / FLUSHES / 1024).toFixed(0)} KB read each`,
  );
}

function pad(cell: string, column: number): string {
  return column === 0 ? cell.padEnd(9) : cell.padStart(COLUMNS[column]!.length);
}
