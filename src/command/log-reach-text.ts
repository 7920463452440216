/** How far `why` and `audit` can see, in words. */
import type { Reach } from '../log/log-reach.js';
import { formatCount } from '../model/quantity.js';

export function describeReach({ seenUntil, damagedLines }: Reach): string[] {
  const said = [seenUntil === '' ? 'the log has no lines so far' : `log seen up to ${seenUntil}`];
  if (damagedLines > 0)
    said.push(`${formatCount(damagedLines)} damaged ${damagedLines === 1 ? 'line' : 'lines'} left out`);
  return said;
}
