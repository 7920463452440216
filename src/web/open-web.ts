/** Opens a web by its specification, as `--web` takes it. */
import { type Disk, nodeDisk } from '../model/disk.js';
import { UsageError } from '../model/errors.js';
import type { Web } from '../model/web.js';
import { DiskWeb } from './disk-web.js';
import type { HttpWebOptions } from './http/http-options.js';
import { HttpWeb } from './http/http-web.js';
import { parseSyntheticSpec } from './synthetic-spec.js';
import { SyntheticWeb } from './synthetic-web.js';

/** An emulated web. */
export function openWeb(spec: string, disk: Disk = nodeDisk): Web {
  const colon = spec.indexOf(':');
  const kind = colon < 0 ? spec : spec.slice(0, colon);
  if (kind === 'synthetic') return new SyntheticWeb(parseSyntheticSpec(spec));
  if (kind === 'disk' && colon > 0 && colon + 1 < spec.length)
    return new DiskWeb(disk, spec.slice(colon + 1));
  if (spec === 'http')
    throw new UsageError(
      "--web http: only a crawl takes the live Web; here it takes 'synthetic' or 'disk:DIR'",
    );
  throw new UsageError(`--web is '${spec}'; it takes http, disk:DIR or synthetic[:key=value,...]`);
}

/** Any web, the live one too. Its fetcher takes as long to load as all the rest, so others do without. */
export async function openCrawlWeb(spec: string, http: HttpWebOptions): Promise<Web> {
  if (spec !== 'http') return openWeb(spec);
  const { HttpFetcher } = await import('./http/http-fetcher.js');
  return new HttpWeb(() => new HttpFetcher(http));
}

/** The same for the thread that coordinates the crawl and fetches nothing. */
export function openCoordinatorWeb(spec: string): Web {
  if (spec !== 'http') return openWeb(spec);
  return new HttpWeb(() => {
    throw new Error('the coordinator fetches no pages');
  });
}
