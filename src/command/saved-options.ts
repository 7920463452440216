/** The options of a crawl in its directory: as they were given, to resume with, and as they were understood. */
import { crc32 } from 'node:zlib';
import type { CrawlDirectory } from '../model/crawl-directory.js';
import { nodeDisk, readWhole, replaceFile } from '../model/disk.js';
import { DamagedFileError } from '../model/errors.js';
import type { CrawlOptions } from '../options/options.js';
import type { GivenOptions } from './arguments.js';

/** Their defaults depend on the machine, and a crawl can't go on with others. */
const FIXED = ['agents', 'memory'] as const;

type Delays = Pick<CrawlOptions, 'host-delay' | 'ip-delay'>;

interface SavedOptions {
  readonly given: GivenOptions;
  readonly least: Delays;
}

export function saveOptions(directory: CrawlDirectory, given: GivenOptions, options: CrawlOptions): void {
  const fixed = FIXED.filter((name) => !given.some(([other]) => other === name)).map(
    (name) => [name, String(options[name])] as const,
  );
  const all = { ...options, least: leastDelays(directory, options), given: [...given, ...fixed] };
  const text = JSON.stringify({ ...all, checksum: checksum(all) }, null, 2);
  replaceFile(nodeDisk, directory.options, `${text}\n`);
}

/** A crawl may go on with other delays: over all of it, these were kept. */
function leastDelays(directory: CrawlDirectory, options: CrawlOptions): Delays {
  const before = nodeDisk.exists(directory.options) ? readSaved(directory).least : options;
  return {
    'host-delay': Math.min(before['host-delay'], options['host-delay']),
    'ip-delay': Math.min(before['ip-delay'], options['ip-delay']),
  };
}

/** REQUIRES: the directory holds a crawl. */
export const loadOptions = (directory: CrawlDirectory): GivenOptions => readSaved(directory).given;

function readSaved({ options: path }: CrawlDirectory): SavedOptions {
  if (!nodeDisk.exists(path)) throw new DamagedFileError(path, 0, 'it is gone');
  let saved: SavedOptions & { readonly checksum?: unknown };
  try {
    saved = JSON.parse(new TextDecoder().decode(readWhole(nodeDisk, path)));
  } catch {
    throw new DamagedFileError(path, 0, 'not the options of a crawl');
  }
  const { checksum: sum, ...all } = saved;
  if (sum !== checksum(all)) throw new DamagedFileError(path, 0, 'its checksum');
  return saved;
}

/** Of the text as JSON writes it: white space does not count. */
const checksum = (all: unknown): number => crc32(JSON.stringify(all));
