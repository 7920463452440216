/** What asked for pauses, as people read it. */

import { formatTime } from '../model/quantity.js';
import type { Pause } from '../monitor/politeness-limit.js';
import type { CrawlOptions } from '../options/options.js';

export const pauseNames = (
  options: Pick<CrawlOptions, 'host-delay' | 'ip-delay'>,
): Readonly<Record<Pause, string>> => ({
  hostDelayMs: `--host-delay ${formatTime(options['host-delay'])}`,
  ipDelayMs: `--ip-delay ${formatTime(options['ip-delay'])}`,
  askedMs: 'pauses that hosts asked for',
});
