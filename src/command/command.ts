/** What a command is: the help, the check of its options and the way to it all come from one description. */
import type { Option } from '../options/option.js';
import type { CrawlOptions } from '../options/options.js';
import type { GivenOptions } from './arguments.js';

/** An option of the command alone. */
export type OwnOption = Pick<Option<unknown>, 'takes' | 'help' | 'shown'>;

export interface Command {
  readonly name: string;
  /** Each way to call it, behind the program's name, and what that does in a few words. */
  readonly forms: readonly (readonly [words: string, does: string])[];
  readonly about: string;
  /** The options of a crawl that it takes. */
  readonly crawlOptions: readonly (keyof CrawlOptions)[];
  readonly ownOptions: Readonly<Record<string, OwnOption>>;
  /** Behind the program's name, and what comes of it. */
  readonly examples: readonly (readonly [words: string, does: string])[];
  /** Gives the exit code. `words` are the arguments that are no options. */
  run(words: readonly string[], given: GivenOptions): number | Promise<number>;
}
