/** Links of a page by regular expressions and the URL class: slow, short, and nothing of it shared with src. */
const HIDDEN =
  /<!--[\s\S]*?-->|<(script|style|textarea|title)\b(?:"[^"]*"|'[^']*'|[^'">])*>[\s\S]*?<\/\1\s*>/gi;
const TAG = /<([a-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^'">])*)>/gi;
const ATTRIBUTE = /([^\s=>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g;

const WANTED: Record<string, string> = { a: 'href', area: 'href', iframe: 'src' };

/** Absolute URLs without fragments, http and https only, in the order of the markup. */
export function referenceLinks(html: string, base: string): string[] {
  const links: string[] = [];
  for (const [, tag, inside] of html.replace(HIDDEN, '').matchAll(TAG)) {
    const wanted = WANTED[tag!.toLowerCase()];
    for (const [, name, double, single, bare] of inside!.matchAll(ATTRIBUTE)) {
      if (name!.toLowerCase() !== wanted) continue;
      const value = (double ?? single ?? bare ?? '').replace(/&(amp|#38);/g, '&');
      const url = new URL(value, base);
      url.hash = '';
      if (/^https?:$/.test(url.protocol)) links.push(url.href);
      break;
    }
  }
  return links;
}
