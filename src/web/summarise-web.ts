/** What `drumline web info` says of an emulated web before anything is crawled. */
import type { Web, WebSummary } from '../model/web.js';
import { DiskWeb } from './disk-web.js';
import { SyntheticWeb } from './synthetic-web.js';

/** `links` is null where counting them would mean to parse every page. */
export type EmulatedWebSummary = Omit<WebSummary, 'links'> & { readonly links: number | null };

/** Null for a web that is not emulated. */
export function summariseWeb(web: Web): EmulatedWebSummary | null {
  return web instanceof SyntheticWeb || web instanceof DiskWeb ? web.summarise() : null;
}
