/** The media types that are wanted, by patterns in which `*` stands for any letters. */

/** Servers write the same few values: each is matched once. */
const REMEMBERED = 256;
/** RFC 6838, section 4.2: a name on either side of the slash has 127 letters at most. */
const LONGEST_TYPE = 255;
const LONGEST_REMEMBERED = 2 * LONGEST_TYPE;

export class AcceptedTypes {
  /** The value of the Accept header. */
  readonly header: string;
  /** Each pattern's parts between its stars. */
  readonly #patterns: readonly (readonly string[])[];
  readonly #known = new Map<string, boolean>();

  constructor(types: readonly string[]) {
    this.#patterns = types.map((type) => type.trim().toLowerCase().split('*'));
    this.header = [...types.map((type) => type.trim()), '*/*;q=0.1'].join(', ');
  }

  /** `contentType` is a header's value, with parameters. */
  includes(contentType: string): boolean {
    if (contentType.length > LONGEST_REMEMBERED) return this.#isWanted(contentType);
    let isWanted = this.#known.get(contentType);
    if (isWanted === undefined) {
      isWanted = this.#isWanted(contentType);
      if (this.#known.size >= REMEMBERED) this.#known.clear();
      this.#known.set(contentType, isWanted);
    }
    return isWanted;
  }

  #isWanted(contentType: string): boolean {
    const type = contentType.split(/[;,]/, 1)[0]!.trim().toLowerCase();
    return type.length <= LONGEST_TYPE && this.#patterns.some((parts) => matches(type, parts));
  }
}

/** Each part is taken where it comes first: that leaves the most for those behind it, so nothing is tried twice. */
function matches(type: string, parts: readonly string[]): boolean {
  const first = parts[0]!;
  const last = parts.at(-1)!;
  if (parts.length === 1) return type === first;
  const end = type.length - last.length;
  if (!type.startsWith(first) || !type.endsWith(last) || first.length > end) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = type.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
