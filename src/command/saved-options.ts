/** The options of a crawl in its directory: as they were given, to resume with, and as they were understood. */
import type { CrawlDirectory } from '../model/crawl-directory.js';
import { nodeDisk, readWhole, replaceFile } from '../model/disk.js';
import { DamagedFileError, UsageError } from '../model/errors.js';
import type { CrawlOptions } from '../model/options.js';
import type { GivenOptions } from './arguments.js';

/** Their defaults depend on the machine, and a crawl can't go on with others. */
const FIXED = ['agents', 'memory'] as const;

export function saveOptions(directory: CrawlDirectory, given: GivenOptions, options: CrawlOptions): void {
  const fixed = FIXED.filter((name) => !given.some(([other]) => other === name)).map(
    (name) => [name, String(options[name])] as const,
  );
  const text = JSON.stringify({ ...options, given: [...given, ...fixed] }, null, 2);
  replaceFile(nodeDisk, directory.options, `${text}\n`);
}

export function loadOptions(directory: CrawlDirectory): GivenOptions {
  if (!nodeDisk.exists(directory.options))
    throw new UsageError(
      `drumline resume takes a crawl directory, got '${directory.path}', which holds no crawl`,
    );
  try {
    const text = new TextDecoder().decode(readWhole(nodeDisk, directory.options));
    const { given } = JSON.parse(text) as { given: GivenOptions };
    return given;
  } catch {
    throw new DamagedFileError(directory.options, 0, 'not the options of a crawl');
  }
}
