/** `drumline web info` and `drumline web pack`. */

import { UsageError } from '../model/errors.js';
import { formatBytes, formatCount, parseWholeNumber } from '../model/quantity.js';
import { complain, print } from '../model/terminal.js';
import { countReachable } from '../model/web.js';
import { alignColumns } from '../monitor/summary.js';
import { openWeb } from '../web/open-web.js';
import { packWeb } from '../web/pack-web.js';
import { summariseWeb } from '../web/summarise-web.js';
import type { GivenOptions } from './arguments.js';
import type { Command } from './command.js';
import { suggestion } from './nearest.js';

export const WEB: Command = {
  name: 'web',
  forms: [
    ['web info SPEC', 'what is in an emulated web, and what is reachable'],
    ['web pack FROM.warc.gz... --out DIR [--dumps N]', 'make a web to crawl from WARC files'],
  ],
  about:
    'An emulated web is crawled without a network, and its truth is known. SPEC is synthetic[:key=value,...] with the keys pages, sites, seed, links, intra, size, dead, redirects and robots, or disk:DIR for one that was packed.',
  crawlOptions: [],
  ownOptions: {
    out: { takes: 'DIR', help: 'where web pack makes the web', shown: '' },
    dumps: { takes: 'N', help: 'files that web pack spreads the pages over', shown: '1' },
  },
  examples: [
    [
      'web info synthetic:pages=50000,sites=1000',
      'pages, links and bytes, and how many pages a crawl can reach',
    ],
    ['web pack crawl.warc.gz --out my-web', 'then: drumline --web disk:my-web --seed https://example.org/'],
  ],
  run: webCommand,
};

function webCommand(words: readonly string[], options: GivenOptions): number {
  const [verb, ...rest] = words;
  if (verb === 'info') return webInfo(rest, options);
  if (verb === 'pack') return webPack(rest, options);
  const hint = verb === undefined ? 'drumline help web says more' : suggestion(verb, ['info', 'pack']);
  throw new UsageError(`drumline web takes info or pack, got '${verb ?? ''}'; ${hint}`);
}

function webInfo(specs: readonly string[], options: GivenOptions): number {
  const [spec] = specs;
  if (spec === undefined || specs.length > 1)
    throw new UsageError('drumline web info takes one SPEC, for example synthetic:pages=5000');
  for (const [name] of options) throw new UsageError(`drumline web info takes no option, got --${name}`);
  const web = openWeb(spec);
  try {
    const summary = summariseWeb(web);
    if (summary === null) throw new UsageError(`drumline web info takes an emulated web, got '${spec}'`);
    const { pages, sites, links, bytes } = summary;
    const rows: [string, string, string?][] = [
      ['pages', formatCount(pages)],
      ['sites', formatCount(sites)],
      ['links', links === null ? 'unknown' : formatCount(links)],
      ['bytes', formatCount(bytes), formatBytes(bytes)],
    ];
    if (web.truth !== null) {
      const full = countReachable(web.truth, web.seeds(), 'full-coverage');
      const twoLevel = countReachable(web.truth, web.seeds(), 'two-level');
      rows.push(['reachable', formatCount(full), 'from its seeds with full coverage']);
      rows.push(['two-level', formatCount(twoLevel), 'of these without exchanging page URLs']);
    }
    print(`${web.spec}\n${alignColumns(rows)}`);
    return 0;
  } finally {
    web.close();
  }
}

function webPack(files: readonly string[], options: GivenOptions): number {
  let out = '';
  let dumps = 1;
  for (const [name, value] of options) {
    if (name === 'out' && value !== null) {
      if (out !== '') throw new UsageError('--out is given twice');
      out = value;
    } else if (name === 'dumps' && value !== null) {
      const count = parseWholeNumber(value);
      if (count === null || count < 1 || count > 512)
        throw new UsageError(`--dumps takes a whole number from 1 to 512, got '${value}'`);
      dumps = count;
    } else throw new UsageError(`drumline web pack takes --out DIR and --dumps N, got --${name}`);
  }
  if (files.length === 0 || out === '')
    throw new UsageError('drumline web pack takes WARC files and --out DIR');
  const packed = packWeb(files, out, {
    dumps,
    onDamage: (file, offset, what) => complain(`${file}: skipped at offset ${offset}: ${what}`),
  });
  print(
    `disk:${out}\n${alignColumns([
      ['pages', formatCount(packed.pages)],
      ['sites', formatCount(packed.sites)],
      ['bytes', formatCount(packed.bytes), formatBytes(packed.bytes)],
    ])}`,
  );
  return 0;
}
