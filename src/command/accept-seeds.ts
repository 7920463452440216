/** Seeds as they were given, to the crawl directory: bad lines are named and skipped. */
import { formatCount } from '../model/quantity.js';
import { complain } from '../model/terminal.js';
import { readSeed, readSeeds } from '../seeds/read-seeds.js';
import type { SeedFileWriter } from '../seeds/seed-file.js';

/** Bad lines are named up to here, then counted. */
const NAMED_BAD_LINES = 20;
const LONGEST_NAMED = 200;

/** `files` and `urls` are the values of `--seeds` and `--seed`. */
export async function acceptSeeds(
  writer: SeedFileWriter,
  files: readonly string[],
  urls: readonly string[],
): Promise<void> {
  let bad = 0;
  for (const path of files) {
    for await (const { line, text, url, problem } of readSeeds(path)) {
      if (url !== null) writer.add(url);
      else if (++bad <= NAMED_BAD_LINES)
        complain(`${path}:${line}: skipped, ${problem}: '${text.slice(0, LONGEST_NAMED)}'`);
    }
  }
  for (const url of urls) writer.add(readSeed(url));
  if (bad > NAMED_BAD_LINES) complain(`${formatCount(bad - NAMED_BAD_LINES)} more lines skipped`);
}
