/** Numbers with units as people write them: `10GB`, `320Mbit`, `1.5s`, `10m`. Each parser returns null for what it can't read. */

const BYTE_UNITS: Record<string, number> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};
const BIT_UNITS: Record<string, number> = { bit: 1, kbit: 1e3, mbit: 1e6, gbit: 1e9 };
const TIME_UNITS: Record<string, number> = { ms: 1, s: 1e3, m: 60e3, h: 3600e3, d: 86400e3 };

function parseUnits(text: string, units: Record<string, number>): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim());
  if (match === null) return null;
  const unit = match[2]!.toLowerCase();
  return Object.hasOwn(units, unit) ? Number(match[1]) * units[unit]! : null;
}

export function parseBytes(text: string): number | null {
  const bytes = parseUnits(text, BYTE_UNITS);
  return bytes === null ? null : Math.floor(bytes);
}

/** Bits per second, from `320Mbit` or `320Mbit/s`. */
export function parseBitRate(text: string): number | null {
  return parseUnits(text.replace(/\/s$/i, ''), BIT_UNITS);
}

/** A time needs its unit, unless it is none at all. */
export function parseMilliseconds(text: string): number | null {
  return text === '0' ? 0 : parseUnits(text, TIME_UNITS);
}

export function parseWholeNumber(text: string): number | null {
  if (!/^\d+$/.test(text)) return null;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : null;
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? value.toFixed(0) : value.toFixed(1)} ${units[unit]}`;
}

/** A time as options take it, in the largest unit that says it exactly. */
export function formatTime(milliseconds: number): string {
  const units = Object.entries(TIME_UNITS).reverse();
  const [unit, size] = units.find(([, each]) => milliseconds >= each && milliseconds % each === 0) ?? [
    'ms',
    1,
  ];
  return `${milliseconds / size}${unit}`;
}

export function formatBitRate(bitsPerSecond: number): string {
  const [value, unit] =
    bitsPerSecond >= 1e9 ? [bitsPerSecond / 1e9, 'Gbit/s'] : [bitsPerSecond / 1e6, 'Mbit/s'];
  return `${Number(value.toPrecision(3))} ${unit}`;
}

export function formatCount(value: number): string {
  // By hand: the first use of a locale takes 10 ms, a good part of a short crawl.
  return `${Math.round(value)}`.replace(/\B(?=(\d{3})+$)/g, ',');
}

export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${whole % 60} s`;
}
