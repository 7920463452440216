/** What a crawler is called: `mybot` in `MyBot/2.0 (+mailto:me@example.org)`. */

/** The part of a name that is a product token (RFC 9309, section 2.2.1), in lower case: letters, `-` and `_`. */
export function productToken(name: string): string {
  return /^[a-z_-]*/.exec(name.trim().toLowerCase())![0];
}
