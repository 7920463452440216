/** All kinds of traps by name. A host of a kind is called `KIND-NUMBER.localhost`. */
import type { Trap } from './answer.js';
import { LINKS } from './links.js';
import { MARKUP } from './markup.js';
import { RESPONSES } from './responses.js';

export const KINDS: ReadonlyMap<string, Trap> = new Map(
  [MARKUP, LINKS, RESPONSES].flatMap((table) => Object.entries(table)),
);

/** The kind of a host, also of its subdomains. */
export function kindOf(host: string): string {
  return host.split('.').at(-2)?.replace(/-\d+$/, '') ?? '';
}
