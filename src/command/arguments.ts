/** The words of a command line, split into positional arguments and options; what they mean is the command's business. */
import { parseArgs } from 'node:util';
import { UsageError } from '../model/errors.js';

/** Name and value of each option, in order; null for a switch. */
export type GivenOptions = readonly (readonly [name: string, value: string | null])[];

export interface Arguments {
  readonly positionals: readonly string[];
  readonly options: GivenOptions;
}

const SHORT = new Map([
  ['-h', 'help'],
  ['-v', 'version'],
]);

/** `taken` says what an option takes, '' if nothing; unknown options take nothing and are refused later. */
export function readArguments(words: readonly string[], taken: (name: string) => string): Arguments {
  const names = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2).split('=', 1)[0]!);
  const config = Object.fromEntries(
    names.map((name) => [
      name,
      { type: taken(name) !== '' ? ('string' as const) : ('boolean' as const), multiple: true },
    ]),
  );
  const { tokens } = parseArgs({
    args: [...words],
    options: config,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const positionals: string[] = [];
  const options: [string, string | null][] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    else if (token.kind === 'option') {
      const short = SHORT.get(token.rawName);
      if (short !== undefined) {
        options.push([short, null]);
        continue;
      }
      if (!token.rawName.startsWith('--'))
        throw new UsageError(`unknown option ${token.rawName}; options begin with two dashes`);
      // The word behind an option is another option: a value was forgotten.
      const isForgotten = token.value === undefined || (!token.inlineValue && token.value.startsWith('--'));
      if (taken(token.name) !== '' && isForgotten)
        throw new UsageError(`--${token.name} takes ${taken(token.name)}, got nothing`);
      options.push([token.name, token.value ?? null]);
    }
  }
  return { positionals, options };
}
