/** What other programs may import: the types of what a crawl leaves, and the names in its directory. */
export type { LogLine } from './log/log-line.js';
export { CrawlDirectory } from './model/crawl-directory.js';
export { version } from './model/version.js';
export type { CrawlOptions } from './options/options.js';
export type { Report } from './run/report.js';
