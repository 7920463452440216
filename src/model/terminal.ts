/**
 * What people see on a terminal, and what is kept for them in crawl.log: text of servers and files must not drive the
 * terminal, reorder what is read, or hide. Nothing else in the program writes to standard output or standard error.
 */

/** Control characters, format characters (bidirectional controls among them), line separators, lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** The same text with `\uXXXX` for what can't be seen, on one line. Inside the quotes of JSON it stays what it is. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escaped);
}

/** A character beyond the first 65,536 is two escapes, as in JSON. */
function escaped(character: string): string {
  let text = '';
  for (let i = 0; i < character.length; i++)
    text += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
  return text;
}

/** Results, of one or more lines, on standard output. */
export function print(text: string): void {
  process.stdout.write(`${text.split('\n').map(printable).join('\n')}\n`);
}

/** One line about what happens, on standard error. */
export function complain(message: string): void {
  process.stderr.write(`drumline: ${printable(message)}\n`);
}
