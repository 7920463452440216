/** What the module leaves to JavaScript: what is rare, odd, or the page's own and not its links'. */

/**
 * Decodes the attribute's value [at, end) as it stands in the page to UTF-8 and writes it at `to`; returns its end there.
 * It has room for three times the bytes.
 */
export declare function decodeValue(at: usize, end: usize, to: usize): usize;

/** The value of a `base` element's href, decoded. */
export declare function takeBase(at: usize, end: usize): void;

/**
 * The content of a `meta` element, decoded: robots directives if `isRobots`, and if `isRefresh` a URL to go to, which is
 * written at `at` itself. Returns its end there; 0 if there is none.
 */
export declare function takeMeta(at: usize, end: usize, isRobots: bool, isRefresh: bool): usize;

/**
 * Writes the canonical form of the link [at, end) at `to`; returns its end there, or 0 if it is no URL that is crawled.
 * It has room for as long a URL as is allowed.
 */
export declare function resolveSlowly(at: usize, end: usize, to: usize): usize;
