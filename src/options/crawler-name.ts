/** Who crawls, as servers are told: a product token, and whom a site can turn to. */

/** A token of RFC 9110, which robots.txt can name, with a version or without; it goes into a header as it is. */
const PRODUCT = /^[A-Za-z_-][\w!#$%&'*+.^`|~-]*(?:\/[\w!#$%&'*+.^`|~-]+)?$/;
/** It stands in a comment of a header: no parentheses, no backslash, ASCII without white space. */
const COMMENT = /^[!-'*-[\]-~]+$/;
const MAIL = /^(?:mailto:)?[^@:/]+@[^@:/]+$/i;
const WEB = /^https?:\/\/[^/@]+(?:\/|$)/i;

export const PRODUCT_TAKES = 'a product token like MyBot or MyBot/2.0';
export const CONTACT_TAKES = 'a mail address or a URL that a site can turn to';

export const isProduct = (text: string): boolean => PRODUCT.test(text);

export const isContact = (text: string): boolean => COMMENT.test(text) && (MAIL.test(text) || WEB.test(text));

/** The User-Agent of all requests. A name without a version gets the program's; without a contact there is none in it. */
export function userAgent(name: string, version: string, contact: string): string {
  const product = name.includes('/') ? name : `${name}/${version}`;
  return contact === '' ? product : `${product} (+${contact})`;
}
