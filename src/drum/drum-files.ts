/** The names of all files in a DRUM's directory. */
import { join } from 'node:path';

export const CURRENT = 'CURRENT';
const RUN = /^run-(\d{8,})\.drum$/;
/** What `replaceFile` leaves when it is interrupted, and scratch files, which no other process reads. */
const TEMPORARY = /^(?:CURRENT\.new|pending-(?:keys|log)\.tmp)$/;

export class DrumFiles {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  get current(): string {
    return join(this.directory, CURRENT);
  }

  /** Operations not answered yet, sorted into buckets. */
  get pendingKeys(): string {
    return join(this.directory, 'pending-keys.tmp');
  }

  /** Operations not answered yet, in the order they came, with their aux. */
  get pendingLog(): string {
    return join(this.directory, 'pending-log.tmp');
  }

  run(number: number): string {
    return join(this.directory, `run-${String(number).padStart(8, '0')}.drum`);
  }

  named(name: string): string {
    return join(this.directory, name);
  }
}

/** The number of a run file, or -1 if the name is not that of one. */
export function runNumber(name: string): number {
  const match = RUN.exec(name);
  return match === null ? -1 : Number(match[1]);
}

export function isTemporary(name: string): boolean {
  return TEMPORARY.test(name);
}
