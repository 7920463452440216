/**
 * The key that a URL is found by in an index of captures: host backwards, then path and query, without what seldom
 * matters, so that captures of one page stand together. The rules are those of the wayback tools (pywb among them),
 * which look up by the same key. Percent codes are undone, again and again while there are any, and what can't stand in
 * a key is coded once: so `%2F` divides segments and `%26` arguments.
 */
const CODES = /%[0-9a-f]{2}/gi;
/** An octet a character. */
const UNFIT = /[^!"$&-~]/g;
const ASPX_SESSION = /^(.*\/)\((?:[a-z]\([0-9a-z]{24}\))+\)\/([^?]+\.aspx.*)$/;
const OLD_ASPX_SESSION = /^(.*\/)\([0-9a-z]{24}\)\/([^?]+\.aspx.*)$/;
const QUERY_SESSIONS = [
  /^(.*)jsessionid=[0-9a-z]{32}(?:&(.*))?$/,
  /^(.*)phpsessid=[0-9a-z]{32}(?:&(.*))?$/,
  /^(.*)sid=[0-9a-z]{32}(?:&(.*))?$/,
  /^(.*)aspsessionid[a-z]{8}=[a-z]{24}(?:&(.*))?$/,
  /^(.*)cfid=[^&]+&cftoken=[^&]+(?:&(.*))?$/,
];
const PARTS = /^https?:\/\/(?:[^/?@]*@)?(\[[^\]]*\]|[^/?:]*)(:\d+)?([^?]*)(?:\?(.*))?$/;

/** REQUIRES: a canonical http or https URL. */
export function surt(url: string): string {
  const parts = PARTS.exec(url);
  if (parts === null) return url;
  const [, host = '', port = '', path = '', query = ''] = parts;
  const backwards = host
    .replace(/^\.+|\.+$/g, '')
    .replace(/^www\d*\./, '')
    .split('.')
    .reverse()
    .join(',');
  const args = sortedQuery(escaped(unescaped(query)));
  return `${backwards}${port})${shortPath(escaped(plainPath(unescaped(path))))}${args === '' ? '' : `?${args}`}`;
}

function unescaped(text: string): string {
  for (let before = '', now = text; ; ) {
    if (!now.includes('%') || now === before) return now;
    before = now;
    now = now.replace(CODES, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  }
}

/** In lower case: only now, as octets above 0x7f are no letters. */
function escaped(octets: string): string {
  const code = (octet: string): string => `%${octet.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return octets.replace(UNFIT, code).toLowerCase();
}

/** Without empty segments and those that stand for another; what ends in a slash still does. */
function plainPath(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/').slice(1)) {
    if (segment === '.') continue;
    if (segment === '..' && kept.length > 0) kept.pop();
    else kept.push(segment);
  }
  return `/${kept.filter((segment, i) => segment !== '' || i === kept.length - 1).join('/')}`;
}

function shortPath(path: string): string {
  const plain = path.replace(ASPX_SESSION, '$1$2').replace(OLD_ASPX_SESSION, '$1$2');
  return plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain;
}

function sortedQuery(query: string): string {
  let rest = query;
  for (const session of QUERY_SESSIONS) rest = rest.replace(session, '$1$2');
  if (!rest.includes('&')) return rest;
  const args = rest.split('&').map((arg) => {
    const equals = arg.indexOf('=');
    return equals < 0 ? ([arg, ''] as const) : ([arg.slice(0, equals), arg.slice(equals)] as const);
  });
  args.sort((a, b) => compare(a[0], b[0]) || compare(a[1], b[1]));
  return args.map(([name, value]) => name + value).join('&');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
