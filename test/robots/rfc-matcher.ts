/** RFC 9309, read once more, slowly and without regard to time and memory: the oracle of the crawler's own reading. */

export interface Decision {
  readonly isAllowed: boolean;
  /** The line that decided, from 1; 0 if none did. */
  readonly line: number;
}

interface Rule {
  readonly isAllow: boolean;
  readonly pattern: string;
  readonly line: number;
}

/** Octets as characters, with escapes as section 2.2.2 wants them; `keep` are special characters left as they are. */
function normalise(text: string, keep: string): string {
  return text.replace(/%[0-9a-f]{2}|./gis, (part) => {
    const isEscape = part.length === 3;
    const character = isEscape ? String.fromCharCode(Number.parseInt(part.slice(1), 16)) : part;
    if (/[A-Za-z0-9._~-]/.test(character)) return character;
    if (!isEscape && ('/?:@&=+,;()'.includes(character) || keep.includes(character))) return character;
    return `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;
  });
}

function toExpression(pattern: string): RegExp {
  const isAnchored = pattern.endsWith('$');
  const parts = (isAnchored ? pattern.slice(0, -1) : pattern).split('*');
  const literal = (part: string): string => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(`^${parts.map(literal).join('[^]*')}${isAnchored ? '$' : ''}`);
}

function normalisePattern(value: string): string {
  const anchor = value.endsWith('$') ? '$' : '';
  const rest = value.slice(0, value.length - anchor.length);
  return normalise(rest, '*').replace(/\*+/g, '*') + anchor;
}

/** `file` is an octet a character; `path` is path and query of a canonical URL; `token` is in lower case. */
export function decide(file: string, token: string, path: string): Decision {
  const groups: { agents: string[]; rules: Rule[] }[] = [];
  let inAgents = false;
  for (const [i, raw] of file.split(/\r\n|\r|\n/).entries()) {
    const match = /^[ \t]*([A-Za-z-]+)[ \t]*:(.*)$/s.exec(raw.split('#')[0]!);
    if (match === null) continue;
    const name = match[1]!.toLowerCase();
    const value = match[2]!.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '');
    if (name === 'user-agent') {
      if (!inAgents) groups.push({ agents: [], rules: [] });
      inAgents = true;
      groups
        .at(-1)!
        .agents.push(value.split(/[ \t]/)[0] === '*' ? '*' : /^[a-z_-]*/i.exec(value)![0].toLowerCase());
    } else if (name === 'allow' || name === 'disallow') {
      inAgents = false;
      const rule = { isAllow: name === 'allow', pattern: normalisePattern(value), line: i + 1 };
      if (value !== '') groups.at(-1)?.rules.push(rule);
    }
  }
  const named = groups.filter(({ agents }) => agents.includes(token));
  const used = named.length > 0 ? named : groups.filter(({ agents }) => agents.includes('*'));
  const subject = normalise(path, '');
  let best: Rule | null = null;
  for (const rule of used.flatMap(({ rules }) => rules)) {
    if (!toExpression(rule.pattern).test(subject)) continue;
    const more = best === null ? 1 : rule.pattern.length - best.pattern.length;
    if (more > 0 || (more === 0 && rule.isAllow && !best!.isAllow)) best = rule;
  }
  return { isAllowed: best?.isAllow ?? true, line: best?.line ?? 0 };
}
