/** What becomes of a URL found on a page, before it is checked: behind an interface, as more modes will come. */
import type { LinkRule } from '../model/web.js';

/** Check it against the PageUrlDrum; if it is new, it goes to whoever owns its site. */
export const FOLLOW = 0;
/** Report its site to the coordinator and forget the URL. */
export const REPORT_SITE = 1;
export type Treatment = typeof FOLLOW | typeof REPORT_SITE;

export interface LinkMode {
  readonly name: LinkRule;
  /** For a URL of another site than its page's. URLs inside a site are always followed. */
  readonly interSite: Treatment;
}

export const LINK_MODES: Readonly<Record<LinkRule, LinkMode>> = {
  /** fc2l-udcbot, section 3.2: an inter-site URL is fetched by the agent of its site, whoever found it. */
  'full-coverage': { name: 'full-coverage', interSite: FOLLOW },
  /** Section 3.1: only sites are reported; a page that no link inside its site leads to is never fetched. */
  'two-level': { name: 'two-level', interSite: REPORT_SITE },
};
