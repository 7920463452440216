/** What several DRUMs did, as a sum. */
import { count, fields, type Shape } from '../model/shape.js';
import type { DrumStatistics } from './drum.js';

export const DRUM_STATISTICS: Shape<DrumStatistics> = fields({
  checks: count,
  unique: count,
  merges: count,
  bytesRead: count,
  bytesWritten: count,
});

export function addStatistics(parts: readonly (DrumStatistics | null)[]): DrumStatistics {
  const sum = { checks: 0, unique: 0, merges: 0, bytesRead: 0, bytesWritten: 0 };
  for (const part of parts) {
    if (part === null) continue;
    for (const name of Object.keys(sum) as (keyof DrumStatistics)[]) sum[name] += part[name];
  }
  return sum;
}
