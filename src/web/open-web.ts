/** Opens a web by its specification, as `--web` takes it. */
import { type Disk, nodeDisk } from '../model/disk.js';
import { UsageError } from '../model/errors.js';
import type { Web } from '../model/web.js';
import { DiskWeb } from './disk-web.js';
import { parseSyntheticSpec } from './synthetic-spec.js';
import { SyntheticWeb } from './synthetic-web.js';

export function openWeb(spec: string, disk: Disk = nodeDisk): Web {
  const colon = spec.indexOf(':');
  const kind = colon < 0 ? spec : spec.slice(0, colon);
  if (kind === 'synthetic') return new SyntheticWeb(parseSyntheticSpec(spec));
  if (kind === 'disk' && colon > 0 && colon + 1 < spec.length)
    return new DiskWeb(disk, spec.slice(colon + 1));
  if (kind === 'http')
    throw new UsageError("--web http: the live Web is not there yet; it takes 'synthetic' or 'disk:DIR'");
  throw new UsageError(`--web is '${spec}'; it takes http, disk:DIR or synthetic[:key=value,...]`);
}
