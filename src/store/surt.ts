/**
 * The key that a URL is found by in an index of captures: host backwards, then path and query, without what seldom
 * matters, so that captures of one page stand together. The rules are those of the wayback tools (pywb among them),
 * which look up by the same key.
 */
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
  const parts = PARTS.exec(url.toLowerCase());
  if (parts === null) return url;
  const [, host = '', port = '', path = '', query = ''] = parts;
  const backwards = host
    .replace(/^www\d*\./, '')
    .split('.')
    .reverse()
    .join(',');
  const args = sortedQuery(query);
  return `${backwards}${port})${shortPath(path)}${args === '' ? '' : `?${args}`}`;
}

function shortPath(path: string): string {
  const plain = path.replace(ASPX_SESSION, '$1$2').replace(OLD_ASPX_SESSION, '$1$2');
  if (plain === '') return '/';
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
