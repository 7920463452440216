/**
 * `parse-fuzz PAGES [COUNT] [SEED]`: mutated pieces of real pages, spliced, through the extractor and parse5. The
 * sets of links must be the same; what differs is listed with the reason it has, as far as one is known.
 */
import { Comparison, type Difference } from './compare.js';
import { readCorpus } from './corpus.js';
import { Random } from './random.js';

const DEFAULT_COUNT = 200_000;
const SHOWN = 20;
/** What derails parsers, to be strewn in. */
const MORSELS = (
  '" \' < > = / & ; - ! ? <!-- --> --!> <!--> </ <a <a/ <a> </a> href= href=" href=\' <!DOCTYPE <![CDATA[ ]]> <? ' +
  '<script> </script> </script <style> </style> <title> </title> <textarea> </textarea> <xmp> </xmp> <iframe> ' +
  '</iframe> <noscript> </noscript> <noframes> </noframes> <plaintext> <svg> </svg> <math> </math> <select> ' +
  '</select> <table> </table> <td> <template> </template> <p> </p> <base&href="/b/"> <frameset> <frame&src=f> ' +
  '&amp &amp; &lt &#x &#38; &not &notin; \0 \r \r\n \t \f <script><!--<script> <link&rel=next&href=n> <body> </body>'
)
  .split(' ')
  .map((morsel) => new TextEncoder().encode(morsel.replace('&', morsel.startsWith('<') ? ' ' : '&')));

/** Where the oracle builds a tree and the extractor only approximates it. */
const REASONS: readonly { readonly name: string; readonly pattern: RegExp; readonly why: string }[] = [
  {
    name: 'foreign content',
    pattern: /<(?:svg|math)/i,
    why: 'an end tag inside SVG or MathML is taken to close an HTML element around it; the tree knows whether one is open',
  },
  {
    name: 'frameset',
    pattern: /<frameset/i,
    why: 'the tree ignores a frameset behind content, and behind one that counts all but frames: links too many, never too few',
  },
  { name: 'select', pattern: /<select/i, why: 'tables around a select are counted, not matched' },
];
const BAR_PERCENT = 99.9;

export async function run(args: string[]): Promise<void> {
  const comparison = await Comparison.load();
  const pages = readCorpus(args[0], '.html').map((file) => file.bytes);
  const count = Number(args[1] ?? DEFAULT_COUNT);
  const seed = Number(args[2] ?? 1);
  const random = new Random(seed);
  const decoder = new TextDecoder('latin1');
  const reasons = new Map<string, number>();
  let differing = 0;
  let bytes = 0;
  const started = performance.now();
  for (let i = 0; i < count; i++) {
    const page = mutate(splice(pages, random), random);
    bytes += page.length;
    const difference = comparison.difference(page, 'text/html; charset=utf-8');
    if (difference === null) continue;
    differing++;
    const text = decoder.decode(page);
    const reason = REASONS.find(({ pattern }) => pattern.test(text))?.name ?? 'unknown';
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    if (differing <= SHOWN || reason === 'unknown') show(i, reason, difference);
  }
  const seconds = (performance.now() - started) / 1000;
  console.log(`seed ${seed}: ${count} pages, ${(bytes / 1e6).toFixed(0)} MB, ${seconds.toFixed(0)} s`);
  const percent = 100 - (100 * differing) / count;
  console.log(`same links in ${percent.toFixed(3)}% (bar: ${BAR_PERCENT}%); ${differing} differ:`);
  for (const [reason, times] of reasons) {
    console.log(
      `  ${reason}: ${times}: ${REASONS.find(({ name }) => name === reason)?.why ?? 'to be looked at'}`,
    );
  }
  if (percent < BAR_PERCENT) process.exitCode = 1;
}

function show(i: number, reason: string, { missed, extra }: Difference): void {
  const some = (links: string[]) => JSON.stringify(links.slice(0, 3).map((link) => link.slice(0, 80)));
  console.log(
    `page ${i} (${reason}): ${missed.length} missed ${some(missed)}, ${extra.length} extra ${some(extra)}`,
  );
}

/** Up to four pieces of up to 4 KB, from anywhere in any page. */
function splice(pages: readonly Uint8Array[], random: Random): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (let left = 1 + random.below(4); left > 0; left--) {
    const page = pages[random.below(pages.length)]!;
    const start = random.below(page.length);
    pieces.push(page.subarray(start, start + random.below(4096)));
  }
  return Buffer.concat(pieces);
}

function mutate(page: Uint8Array, random: Random): Uint8Array {
  for (let left = random.below(8); left > 0 && page.length > 0; left--) {
    const at = random.below(page.length);
    const tag = page.indexOf(0x3c, at);
    switch (random.below(4)) {
      case 0:
        page[at]! ^= 1 << random.below(8);
        break;
      case 1: {
        // A tag cut somewhere, or all of it.
        const from = tag < 0 ? at : tag;
        page = Buffer.concat([page.subarray(0, from), page.subarray(from + 1 + random.below(40))]);
        break;
      }
      case 2: {
        // A morsel anywhere.
        page = Buffer.concat([
          page.subarray(0, at),
          MORSELS[random.below(MORSELS.length)]!,
          page.subarray(at),
        ]);
        break;
      }
      default: {
        // A morsel inside a tag.
        const inside = (tag < 0 ? at : tag) + random.below(20);
        page = Buffer.concat([
          page.subarray(0, inside),
          MORSELS[random.below(MORSELS.length)]!,
          page.subarray(inside),
        ]);
      }
    }
  }
  return page;
}
