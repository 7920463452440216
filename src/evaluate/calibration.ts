/** How fast this box is, and what crawls that makes comparable. */
import type { Scale } from './experiment.js';

/** Found out once, at the beginning, and used for every crawl. */
export interface Calibration {
  /** Pages and bits per second that the most agents get without throttle: median of a few short crawls. */
  readonly pagesPerSecond: number;
  readonly bitsPerSecond: number;
  /** Bits per second that each agent is given. */
  readonly bandwidth: number;
  readonly bytesPerPage: number;
  readonly scale: Scale;
  /** The web that is crawled, with every key spelled out. */
  readonly web: string;
}
