/** What the evaluation ran on. */
import { readFileSync, statfsSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { version } from '../model/version.js';

export interface Environment {
  readonly drumline: string;
  readonly node: string;
  readonly system: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  /** Kind of the file system that crawls wrote to, and its free bytes at the start. */
  readonly disk: string;
  readonly diskFreeBytes: number;
  readonly date: string;
}

export function readEnvironment(directory: string): Environment {
  const { bavail, bsize } = statfsSync(directory);
  return {
    drumline: version(),
    node: process.version,
    system: `${platform()} ${release()} ${arch()}`,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    disk: fileSystemOf(directory),
    diskFreeBytes: bavail * bsize,
    date: new Date().toISOString(),
  };
}

/** The type of the longest mount point that the directory lies under; 'unknown' where the system does not tell. */
function fileSystemOf(directory: string): string {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .filter(
        ([, point]) => point !== undefined && `${directory}/`.startsWith(point === '/' ? '/' : `${point}/`),
      )
      .sort((a, b) => b[1]!.length - a[1]!.length);
    const [device, , type] = mounts[0] ?? [];
    return type === undefined ? 'unknown' : `${type} on ${device}`;
  } catch {
    return 'unknown';
  }
}
