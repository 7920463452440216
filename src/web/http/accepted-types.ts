/** The media types that are wanted, by patterns in which `*` stands for any letters. */

/** Servers write the same few values: each is matched once. */
const REMEMBERED = 256;

export class AcceptedTypes {
  /** The value of the Accept header. */
  readonly header: string;
  readonly #pattern: RegExp;
  readonly #known = new Map<string, boolean>();

  constructor(types: readonly string[]) {
    const patterns = types.map((type) =>
      type
        .trim()
        .toLowerCase()
        .replace(/[\\^$.|?+()[\]{}]/g, '\\$&')
        .replaceAll('*', '.*'),
    );
    this.#pattern = new RegExp(`^(?:${patterns.join('|')})$`);
    this.header = [...types.map((type) => type.trim()), '*/*;q=0.1'].join(', ');
  }

  /** `contentType` is a header's value, with parameters. */
  includes(contentType: string): boolean {
    let isWanted = this.#known.get(contentType);
    if (isWanted === undefined) {
      isWanted = this.#pattern.test(contentType.split(/[;,]/, 1)[0]!.trim().toLowerCase());
      if (this.#known.size >= REMEMBERED) this.#known.clear();
      this.#known.set(contentType, isWanted);
    }
    return isWanted;
  }
}
