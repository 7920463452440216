/** What the options of a crawl take, as it is read: sizes, times, counts, URLs. */

import { parseBytes, parseMilliseconds, parseWholeNumber } from '../model/quantity.js';
import { reader } from './option.js';

export const anyText = (text: string): string => text;
export const textThat =
  (isTaken: (text: string) => boolean, what: string) =>
  (text: string): string => {
    if (!isTaken(text)) throw new RangeError(what);
    return text;
  };
export const someText = (what: string) => textThat((text) => text !== '', what);
export const bytes = reader(parseBytes, 1, Number.MAX_SAFE_INTEGER, 'a size like 10MB');
export const duration = reader(
  parseMilliseconds,
  0,
  Number.MAX_SAFE_INTEGER,
  'a time like 250ms, 30s or 10m',
);
export const count = reader(parseWholeNumber, 1, Number.MAX_SAFE_INTEGER, 'a whole number from 1');
export const httpUrl = (text: string): string => {
  if (!/^https?:\/\/[^/]/i.test(text)) throw new RangeError('a URL like http://proxy.example:3128');
  return text;
};
export const mediaTypes = (text: string): readonly string[] => {
  const types = text.toLowerCase().split(',');
  if (!types.every((type) => /^[^\s/;]+\/[^\s/;]+$/.test(type)))
    throw new RangeError('media types like text/html,application/pdf');
  return types;
};

/** A crawl needs a few buffers of every kind, however small. */
export const LEAST_MEMORY = 8e6;
export const memory = reader(
  parseBytes,
  LEAST_MEMORY,
  Number.MAX_SAFE_INTEGER,
  'a size of at least 8MB, like 512MB or 4GB',
);
export const powerOfTwo = (text: string): number | null => {
  const value = parseBytes(text);
  return value === null || (value & (value - 1)) !== 0 ? null : value;
};
