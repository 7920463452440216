/** Opens a web by its specification, as `--web` takes it. */
import { UsageError } from '../model/errors.js';
import type { Web } from '../model/web.js';
import { parseSyntheticSpec } from './synthetic-spec.js';
import { SyntheticWeb } from './synthetic-web.js';

export function openWeb(spec: string): Web {
  const colon = spec.indexOf(':');
  const kind = colon < 0 ? spec : spec.slice(0, colon);
  if (kind === 'synthetic') return new SyntheticWeb(parseSyntheticSpec(spec));
  if (kind === 'http')
    throw new UsageError("--web http: the live Web is not there yet; it takes 'synthetic' or 'disk:DIR'");
  throw new UsageError(`--web is '${spec}'; it takes http, disk:DIR or synthetic[:key=value,...]`);
}
