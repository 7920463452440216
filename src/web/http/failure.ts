/** Why a response did not come whole, as codes that stand in crawl.log. */
import { DrumlineError } from '../../model/errors.js';

/** Trying again later can't help with these; it can with all others. */
const LASTING = new Set([
  'TLS',
  'BAD_RESPONSE',
  'HEADERS_TOO_LARGE',
  'BAD_ENCODING',
  'UNWANTED_TYPE',
  'BAD_URL',
  'BAD_PORT',
  'PRIVATE_ADDRESS',
  'NO_ADDRESS',
]);

/** Thrown and passed on by our own parts; its code is a failure's. */
export class FetchError extends DrumlineError {
  constructor(code: string, message: string, cause?: unknown) {
    super(code, message, LASTING.has(code) ? 'drop-url' : 'retry', { cause });
    this.name = 'FetchError';
  }
}

/** The code of an error that ended a request. */
export function failureOf(error: NodeJS.ErrnoException): string {
  if (error instanceof FetchError) return error.code;
  const code = error.code ?? '';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'HEADERS_TOO_LARGE';
  if (code === 'UND_ERR_INVALID_ARG') return 'BAD_URL';
  if (error.name === 'HTTPParserError') {
    // The connection ended where the framing promised more.
    return error.message.includes('EOF') ? 'RESET' : 'BAD_RESPONSE';
  }
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'TLS';
  return 'RESET';
}

/** What went wrong before a connection was there. */
export function connectFailure(error: NodeJS.ErrnoException): FetchError {
  if (error instanceof FetchError) return error;
  if (error.code === 'ETIMEDOUT') return new FetchError('CONNECT_TIMEOUT', error.message, error);
  // Errors of the network have a system call; the others come from TLS, as do its alerts (EPROTO).
  const isNetwork = error.syscall !== undefined || error.code === 'ECONNRESET';
  return new FetchError(isNetwork && error.code !== 'EPROTO' ? 'CONNECT' : 'TLS', error.message, error);
}

export function isTemporary(failure: string, status: number): boolean {
  if (failure !== '' && !LASTING.has(failure)) return true;
  return status >= 500 || status === 429 || status === 408;
}
