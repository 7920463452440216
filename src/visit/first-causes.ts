/** For people who ask why there is no more: what URLs were given up for, with the first of each. */

export interface FirstCause {
  readonly url: string;
  /** What is known beside the code: the line of robots.txt, the content type, what its robots.txt failed with; or ''. */
  readonly because: string;
}

/** By code. */
export type FirstCauses = Record<string, FirstCause>;

/** Codes are few, but for the statuses that servers make up. */
const MOST_CODES = 64;
const decoder = new TextDecoder();

/** Keeps the URL `url[start, end)` if it is the first that was given up for `code`. */
export function keepFirst(
  firsts: FirstCauses,
  code: string,
  url: Uint8Array,
  start: number,
  end: number,
  because: string,
): void {
  if (firsts[code] !== undefined || Object.keys(firsts).length >= MOST_CODES) return;
  firsts[code] = { url: decoder.decode(url.subarray(start, end)), because };
}

/** The class of a status as people write it. */
export const statusClass = (status: number): string =>
  status < 100 || status > 999 ? 'no answer' : `${Math.floor(status / 100)}xx`;
