/** What was probably meant by a name that does not exist. */

/** Letters added, left out, exchanged or swapped with their neighbour, at least. */
function distance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      let best = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        best = Math.min(best, beforeLast[j - 2]! + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[to.length]!;
}

/** What other crawlers call it, or what it is easily taken for: none of these is near by its letters. */
const MEANT: Readonly<Record<string, string>> = {
  concurrency: 'agents',
  'crawl-delay': 'host-delay',
  delay: 'host-delay',
  depth: 'max-depth',
  domain: 'same-domain',
  email: 'contact',
  from: 'contact',
  'input-file': 'seeds',
  level: 'max-depth',
  limit: 'target-pages',
  'max-pages': 'target-pages',
  'max-size': 'max-body',
  'max-time': 'max-duration',
  output: 'out',
  'output-dir': 'out',
  pages: 'target-pages',
  quiet: 'progress',
  ram: 'memory',
  'span-hosts': 'same-host',
  threads: 'agents',
  tries: 'retries',
  url: 'seed',
  urls: 'seeds',
  verbose: 'progress',
  wait: 'host-delay',
  workers: 'agents',
};

/** The nearest of `names`, or null if none is like it. */
export function nearest(name: string, names: readonly string[]): string | null {
  // Nobody mistypes more than the longest name there is; what is longer need not be compared.
  if (name.length > 64) return null;
  const meant = Object.hasOwn(MEANT, name) ? MEANT[name]! : '';
  if (names.includes(meant)) return meant;
  let found: string | null = null;
  let least = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const other of names) {
    const letters = distance(name.toLowerCase(), other);
    if (letters < least) {
      found = other;
      least = letters;
    }
  }
  if (found !== null || name.length < 3) return found;
  // A name cut short, like --target for --target-pages, or made longer.
  return names.find((other) => other.startsWith(name) || name.startsWith(`${other}-`)) ?? null;
}

/** The end of an error about a name that does not exist. `dashes` stand before a name. */
export function suggestion(name: string, names: readonly string[], dashes = ''): string {
  const other = nearest(name, names);
  return other === null ? 'drumline --help lists them' : `did you mean ${dashes}${other}?`;
}
