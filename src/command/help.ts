/** `drumline --help` and `--version`. */
import type { Option } from '../model/option.js';
import { CRAWL_OPTIONS } from '../model/options.js';
import { version } from '../model/version.js';
import { EVALUATE_OPTIONS } from './evaluate-options.js';

export function helpText(): string {
  return `drumline ${version()}: a full-coverage parallel web crawler

  drumline [crawl] --agents 7 --web synthetic [options]   crawl
  drumline resume CRAWL_DIR                               go on after a stop, a crash or kill -9
  drumline web pack FROM.warc.gz... --out DIR [--dumps N] make a web to crawl from WARC files
  drumline web info SPEC                                  what is in an emulated web, and what is reachable
  drumline evaluate [--quick] [--out DIR]                 the papers' experiments on this box, with a report page
  drumline evaluate --model paper --pages 30e9            ask the papers' cost model
  drumline why URL --crawl CRAWL_DIR                      what became of a URL, and why
  drumline audit CRAWL_DIR                                was every host left alone as long as it should be
  drumline --help | --version

Options of a crawl, with their defaults:
${optionLines(CRAWL_OPTIONS)}

Options of an evaluation, beside --out, --web, --memory, --max-duration and --progress:
${optionLines(EVALUATE_OPTIONS)}
`;
}

function optionLines(
  options: Readonly<Record<string, Pick<Option<unknown>, 'takes' | 'help' | 'shown'>>>,
): string {
  const rows = Object.entries(options).map(([name, { takes, help, shown }]) => ({
    option: `--${name}${takes === '' ? '' : ` ${takes}`}`,
    text: shown === '' ? help : `${help} [${shown}]`,
  }));
  const width = Math.max(...rows.map(({ option }) => option.length));
  return rows.map(({ option, text }) => `  ${option.padEnd(width)}  ${text}`).join('\n');
}
