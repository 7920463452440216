import { printable } from './terminal.js';

/** What the crawl does next after an error. Expected outcomes (a full ring, a robots rule) are return values. */
export type Disposition = 'retry' | 'drop-url' | 'fatal';

export class DrumlineError extends Error {
  readonly code: string;
  readonly disposition: Disposition;

  constructor(code: string, message: string, disposition: Disposition = 'fatal', options?: ErrorOptions) {
    super(message, options);
    this.name = 'DrumlineError';
    this.code = code;
    this.disposition = disposition;
  }
}

/** The user's own mistake: printed as one line without a stack, exit code 2, nothing started. */
export class UsageError extends DrumlineError {
  constructor(message: string) {
    super('USAGE', message);
    this.name = 'UsageError';
  }
}

/** Bytes on disk that are not what was written: names the file and the place, and is never read as data. */
export class DamagedFileError extends DrumlineError {
  constructor(path: string, offset: number, what: string) {
    super('DAMAGED_FILE', `${path}: damaged at offset ${offset}: ${what}`);
    this.name = 'DamagedFileError';
  }
}

/**
 * Would it happen again, as with a full disk or a damaged file, or must nobody go on, as after a defect? Errors of the file
 * system have a path. Of an error that ended a thread only its properties are left.
 */
export function isLasting(error: unknown): boolean {
  return error instanceof Error && ('disposition' in error || 'path' in error);
}

/** The message of anything thrown, on one line, without what would drive a terminal. */
export function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return printable(text.replace(/\s+/g, ' ').trim());
}
