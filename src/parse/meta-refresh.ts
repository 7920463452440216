/** The URL in the content of `<meta http-equiv=refresh>`, as the HTML standard's refresh steps find it. */

const TIME = /^[\t\n\f\r ]*[0-9.]+(?=[;,\t\n\f\r ])[\t\n\f\r ]*[;,]?[\t\n\f\r ]*/;
const URL_EQUALS = /^url[\t\n\f\r ]*=[\t\n\f\r ]*/i;

/** Null if there is none: the page is to reload itself, or the content is no refresh. */
export function refreshUrl(content: string): string | null {
  const time = TIME.exec(content);
  if (time === null) return null;
  const rest = content.slice(time[0].length);
  if (rest === '') return null;
  const url = rest.replace(URL_EQUALS, '');
  const quote = url[0];
  if (quote !== '"' && quote !== "'") return url;
  const end = url.indexOf(quote, 1);
  return url.slice(1, end < 0 ? undefined : end);
}
