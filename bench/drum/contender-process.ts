/** One row of the table, in a process of its own, so that its peak memory is its own. Prints JSON. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contenders, type Result } from './contenders.js';

export interface Row extends Result {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakRssBytes: number;
}

const [name, checks, memoryBytes, limitSeconds] = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), 'drumline-bench-'));
try {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const result = await contenders[name!]!({
    checks: Number(checks),
    memoryBytes: Number(memoryBytes),
    limitSeconds: Number(limitSeconds),
    directory,
  });
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const peakRssBytes = process.resourceUsage().maxRSS * 1024;
  const row: Row = { ...result, seconds, cpuSeconds: (user + system) / 1e6, peakRssBytes };
  process.stdout.write(JSON.stringify(row));
} finally {
  rmSync(directory, { recursive: true, force: true });
}
