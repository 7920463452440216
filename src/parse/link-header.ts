/** The `Link` header (RFC 8288): which other pages a response says are next, previous or canonical. */
import { LINK_CANONICAL, LINK_NEXT, LINK_NOFOLLOW, LINK_PREV } from './link-kinds.js';
import type { LinkList } from './link-list.js';

/** By rank: of several relations the first here is the link's kind. */
const RELATIONS = [
  { name: 'next', kind: LINK_NEXT },
  { name: 'prev', kind: LINK_PREV },
  { name: 'previous', kind: LINK_PREV },
  { name: 'canonical', kind: LINK_CANONICAL },
];
/** One parameter: `; name`, `; name=token` or `; name="quoted \" string"`. */
const PARAMETER = /[\t ]*;[\t ]*([^\t =;,"<>]*)[\t ]*(?:=[\t ]*(?:"((?:[^"\\]|\\.)*)"?|([^\t ;,]*)))?/sy;
/** What stands between links; of what can't be understood, all up to the next link. */
const BETWEEN = /[^<]*/y;

const encoder = new TextEncoder();

/** Appends the links of one header's value to `links`. They are resolved against the page's URL, whatever its base is. */
export function readLinkHeader(value: string, links: LinkList): void {
  for (let at = skip(BETWEEN, value, 0); at < value.length; at = skip(BETWEEN, value, at)) {
    const end = value.indexOf('>', at);
    if (end < 0) return;
    const target = value.slice(at + 1, end);
    let relation: string | null = null;
    let isAboutOther = false;
    at = end + 1;
    for (let found = match(PARAMETER, value, at); found !== null; found = match(PARAMETER, value, at)) {
      at += found[0].length;
      const name = found[1]!.toLowerCase();
      // Of several relation parameters the first counts.
      if (name === 'rel') relation ??= found[2]?.replace(/\\(.)/gs, '$1') ?? found[3] ?? '';
      else if (name === 'anchor') isAboutOther = true;
    }
    if (relation !== null && !isAboutOther) append(target, relation, links);
  }
}

function append(target: string, relation: string, links: LinkList): void {
  const relations = relation.toLowerCase().split(/[\t ]+/);
  const kind = RELATIONS.find(({ name }) => relations.includes(name))?.kind;
  if (kind === undefined) return;
  links.append(encoder.encode(target), relations.includes('nofollow') ? kind | LINK_NOFOLLOW : kind);
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function skip(pattern: RegExp, text: string, at: number): number {
  return at + (match(pattern, text, at)?.[0].length ?? 0);
}
