/** The kinds of links. Also part of the WebAssembly module, so without types. */

/** What made the link: the low bits of `kinds[i]`. */
export const LINK_ANCHOR = 0;
export const LINK_AREA = 1;
export const LINK_FRAME = 2;
export const LINK_REFRESH = 3;
export const LINK_NEXT = 4;
export const LINK_PREV = 5;
export const LINK_CANONICAL = 6;
export const LINK_ALTERNATE = 7;
export const LINK_KIND_MASK = 0x0f;
/** Set in `kinds[i]` when the link itself says `rel=nofollow`. */
export const LINK_NOFOLLOW = 0x80;
