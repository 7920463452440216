/** What a person can do about a file of a crawl that is not what it was. */
import { DamagedFileError, DrumlineError } from '../model/errors.js';

const ADVICE = 'put back a whole copy of it, or crawl anew into another directory';
const DAMAGE = /: damaged at offset \d+: /;

/** `message` is an error's, from whatever thread. */
export const withAdvice = (message: string): string =>
  DAMAGE.test(message) ? `${message}; ${ADVICE}` : message;

export function advised(error: unknown): unknown {
  if (!(error instanceof DamagedFileError)) return error;
  return new DrumlineError(error.code, withAdvice(error.message), error.disposition, { cause: error });
}
