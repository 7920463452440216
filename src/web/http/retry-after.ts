/** How long a server asks to wait, from the value of Retry-After: seconds or a date. Milliseconds, -1 for nonsense. */
export function parseRetryAfter(value: string, now: number): number {
  const text = value.trim();
  if (/^\d{1,12}$/.test(text)) return 1000 * Number(text);
  // Dates in the three forms of RFC 9110, section 5.6.7, name the day of the week first.
  if (!/^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d/i.test(text)) return -1;
  const isZoned = /(gmt|utc|[+-]\d{4})$/i.test(text);
  const date = Date.parse(isZoned ? text : `${text} GMT`);
  return Number.isNaN(date) ? -1 : Math.max(0, date - now);
}
