/** The options of a crawl as the help shows them: by what they are about. */
import type { CrawlOptions } from './options.js';

export const OPTION_GROUPS: readonly (readonly [title: string, names: readonly (keyof CrawlOptions)[]])[] = [
  [
    'What is crawled',
    [
      'web',
      'seeds',
      'seed',
      'include',
      'exclude',
      'same-host',
      'same-domain',
      'sitemaps',
      'sitemaps-per-site',
    ],
  ],
  ['How far', ['target-pages', 'max-duration', 'max-bytes', 'pages-per-site', 'depth-per-site', 'max-depth']],
  ['Traps', ['trap-repeated-segments', 'trap-segments', 'trap-url-bytes', 'trap-links']],
  [
    'Politeness',
    ['contact', 'user-agent', 'host-delay', 'ip-delay', 'retries', 'retry-delay', 'max-retry-after'],
  ],
  [
    'Requests',
    [
      'timeout',
      'max-body',
      'max-redirects',
      'accept',
      'proxy',
      'dns',
      'allow-private',
      'insecure',
      'bandwidth',
    ],
  ],
  ['Machine', ['agents', 'memory', 'ring-bytes', 'links', 'assign']],
  ['What is stored', ['store', 'warc-size', 'warc-level', 'min-free']],
  ['What comes out', ['out', 'checkpoint-interval', 'report', 'log', 'list-pages', 'progress']],
];
