/**
 * The links of a page by an independent parser: parse5 builds the tree, scripting off, and the tree is searched.
 * It sees what tree construction drops, moves or makes up; the comparisons say which of that they allow for.
 */
import { singleByteCharacters } from '#drumline/model/canonical-url-query.js';

const HTML = 'http://www.w3.org/1999/xhtml';

interface Node {
  readonly nodeName: string;
  readonly namespaceURI?: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string; readonly prefix?: string }[];
  readonly childNodes?: readonly Node[];
  /** Of a template. */
  readonly content?: Node;
}
type Parse = (html: string, options: { scriptingEnabled: boolean }) => Node;

export interface OracleLinks {
  /** `kind value`, as often as the tree has them. */
  readonly links: string[];
  readonly base: string | null;
}

export async function loadOracle(): Promise<(html: string) => OracleLinks> {
  const path = new URL('../../../bench/peers/node_modules/parse5/dist/index.js', import.meta.url);
  const { parse } = (await import(path.href).catch(() => {
    throw new Error('parse5 is missing: npm install --prefix bench/peers');
  })) as { parse: Parse };
  return (html) => search(parse(html, { scriptingEnabled: false }));
}

function search(document: Node): OracleLinks {
  const links: string[] = [];
  let base: string | null = null;
  const nodes: Node[] = [document];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    for (const child of [...(node.childNodes ?? [])].reverse()) nodes.push(child);
    if (node.content !== undefined) nodes.push(node.content);
    const value = (name: string) => node.attrs?.find((one) => one.name === name && !one.prefix)?.value;
    const link = linkOf(node, value);
    if (link !== null) links.push(link);
    if (isHtml(node, 'base')) base ??= value('href') ?? null;
  }
  return { links, base };
}

function isHtml(node: Node, name: string): boolean {
  return node.nodeName === name && node.namespaceURI === HTML;
}

function linkOf(node: Node, value: (name: string) => string | undefined): string | null {
  const href = value('href');
  const rel = (value('rel') ?? '').toLowerCase().split(/[\t\n\f\r ]+/);
  const nofollow = rel.includes('nofollow') ? ' nofollow' : '';
  if (node.nodeName === 'a') return href === undefined ? null : `a${nofollow} ${href}`;
  if (isHtml(node, 'area')) return href === undefined ? null : `area${nofollow} ${href}`;
  if (isHtml(node, 'frame') || isHtml(node, 'iframe')) {
    const source = value('src');
    return source === undefined ? null : `frame ${source}`;
  }
  if (isHtml(node, 'link')) {
    const kind = ['next', 'prev', 'previous', 'canonical', 'alternate'].find((one) => rel.includes(one));
    return kind === undefined || href === undefined ? null : `${kind.slice(0, 4)}${nofollow} ${href}`;
  }
  if (isHtml(node, 'meta') && value('http-equiv')?.toLowerCase() === 'refresh') {
    const url = refresh(value('content') ?? '');
    return url === null ? null : `refresh ${url}`;
  }
  return null;
}

/** The shared declarative refresh steps, one by one. */
function refresh(input: string): string | null {
  let at = 0;
  const skip = (pattern: RegExp) => {
    while (at < input.length && pattern.test(input[at]!)) at++;
  };
  skip(/[\t\n\f\r ]/);
  const digits = at;
  skip(/[0-9]/);
  if (at === digits && input[at] !== '.') return null;
  skip(/[0-9.]/);
  if (at < input.length && !/[;,\t\n\f\r ]/.test(input[at]!)) return null;
  skip(/[\t\n\f\r ]/);
  if (/[;,]/.test(input[at] ?? '')) at++;
  skip(/[\t\n\f\r ]/);
  if (at >= input.length) return null;
  const whole = input.slice(at);
  if (/[uU]/.test(input[at]!)) {
    if (!/^url/i.test(whole)) return whole;
    at += 3;
    skip(/[\t\n\f\r ]/);
    if (input[at] !== '=') return whole;
    at++;
    skip(/[\t\n\f\r ]/);
  }
  const quote = /["']/.test(input[at] ?? '') ? input[at++]! : '';
  const url = input.slice(at);
  const end = quote === '' ? -1 : url.indexOf(quote);
  return end < 0 ? url : url.slice(0, end);
}

/** A page's text, for the oracle: which encoding it is in is not what is compared. */
export function decodePage(page: Uint8Array, encoding: string): string {
  if (encoding !== 'windows-1252') return new TextDecoder(encoding).decode(page);
  const high = singleByteCharacters(encoding);
  return Buffer.from(page)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (one) => high[one.charCodeAt(0) - 0x80]!);
}
