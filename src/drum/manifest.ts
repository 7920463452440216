/**
 * `CURRENT`: which runs are the store. Replaced as a whole by rename, so it is the one of the last commit.
 *
 * ```
 * drumline-drum 1            format and version
 * values 4                   bytes of a value
 * next 12                    number of the next run
 * run 3 1056872 130422       number, bytes and keys of a run, oldest first
 * end 9f0c1a22               CRC-32 of all lines before, in hexadecimal
 * ```
 */
import { crc32 } from 'node:zlib';
import { type Disk, readWhole, replaceFile } from '../model/disk.js';
import { DamagedFileError } from '../model/errors.js';

const FORMAT = 'drumline-drum 1';
const LAYOUT = /^(drumline-drum \d+)\nvalues (\d+)\nnext (\d+)\n((?:run \d+ \d+ \d+\n)*)$/;
const END = /^end ([0-9a-f]{8})\n$/;
const END_BYTES = 'end 00000000\n'.length;

export interface ManifestRun {
  readonly number: number;
  readonly bytes: number;
  readonly keys: number;
}

export interface Manifest {
  readonly valueBytes: number;
  readonly nextRun: number;
  /** Oldest first. */
  readonly runs: readonly ManifestRun[];
}

export function writeManifest(disk: Disk, path: string, manifest: Manifest): void {
  const runs = manifest.runs.map((run) => `run ${run.number} ${run.bytes} ${run.keys}\n`).join('');
  const lines = `${FORMAT}\nvalues ${manifest.valueBytes}\nnext ${manifest.nextRun}\n${runs}`;
  replaceFile(disk, path, `${lines}end ${checksum(lines)}\n`);
}

/** Null if nothing was ever committed. */
export function readManifest(disk: Disk, path: string): Manifest | null {
  if (!disk.exists(path)) return null;
  const bytes = readWhole(disk, path);
  // Latin-1 keeps every byte apart; UTF-8 would map all broken ones to the same character.
  const text = Buffer.from(bytes).toString('latin1');
  const at = Math.max(0, text.length - END_BYTES);
  const lines = text.slice(0, at);
  if (END.exec(text.slice(at))?.[1] !== checksum(lines)) {
    throw new DamagedFileError(path, at, 'checksum of the manifest');
  }
  const match = LAYOUT.exec(lines);
  if (match === null) throw new DamagedFileError(path, 0, 'not the lines of a manifest');
  if (match[1] !== FORMAT) throw new DamagedFileError(path, 0, `"${match[1]}", not "${FORMAT}"`);
  return {
    valueBytes: Number(match[2]),
    nextRun: Number(match[3]),
    runs: Array.from(match[4]!.matchAll(/run (\d+) (\d+) (\d+)\n/g), (run) => ({
      number: Number(run[1]),
      bytes: Number(run[2]),
      keys: Number(run[3]),
    })),
  };
}

function checksum(text: string): string {
  return crc32(Buffer.from(text, 'latin1')).toString(16).padStart(8, '0');
}
