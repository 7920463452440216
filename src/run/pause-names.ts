/** What asked for pauses, as people read it. */
import type { CrawlOptions } from '../model/options.js';
import { formatTime } from '../model/quantity.js';
import type { Pause } from '../monitor/politeness-limit.js';

export const pauseNames = (
  options: Pick<CrawlOptions, 'host-delay' | 'ip-delay'>,
): Readonly<Record<Pause, string>> => ({
  hostDelayMs: `--host-delay ${formatTime(options['host-delay'])}`,
  ipDelayMs: `--ip-delay ${formatTime(options['ip-delay'])}`,
  askedMs: 'pauses that hosts asked for',
});
