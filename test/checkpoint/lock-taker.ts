/** Takes locks when it is told to, and says what came of it; holds what it got until it is told again, or dies with it. */
import { CrawlLock } from '#drumline/checkpoint/crawl-lock.js';

export interface Order {
  readonly path: string;
  /** When to take it, in ms since 1970: all takers at once. */
  readonly at: number;
}

process.on('message', ({ path, at }: Order) => {
  while (Date.now() < at);
  let answer = 'taken';
  try {
    CrawlLock.take(path);
  } catch (error) {
    answer = (error as Error).message;
  }
  process.send!(answer);
});
process.on('disconnect', () => process.exit());
process.send!('ready');
