/**
 * The bytes between the links of a synthetic page, prepared once: cells of CELL bytes, plain text up to MARKUP
 * and then some markup, balanced within the cell. So links can be written over the start of any cell, and as
 * long as they end before its markup the page stays what it is.
 *
 * Some of the markup is a trap: a URL below `/decoy/` that no crawler may take for a link.
 */
import { mix } from './synthetic-hash.js';
import { piece } from './synthetic-pieces.js';
import type { SyntheticSpec } from './synthetic-spec.js';

export const CELL = 192;
/** Where the markup of a cell begins. */
export const MARKUP = 128;
/** A page's filler begins at one of this many cells, so that pages differ. */
export const ROTATIONS = 64;
/** Where a head has room for the page's number. */
const NUMBER_SLOT = '0000000000';

const WORDS =
  'the river ran slow past the old mill and nobody in town could say when it had last been used while in autumn ' +
  'boats came up from the coast with salt and paper and took back apples wool and letters that people had written ' +
  'during the long summer evenings so the harbour was never quite empty even when snow lay on the roofs of it ';

/** The bar is where the words go. */
const MARKUPS = [
  ...['<p class="lead">|</p>', '<p>|</p>', '<p>|</p>', '<div class="box"><span>|</span></div>', '<b>|</b>'],
  ...[
    '<em>|</em>',
    '<strong>|</strong>',
    '<h2>|</h2>',
    '<li>|</li>',
    '<td>|</td>',
    '<br>|',
    '<hr />|',
    '<br/>|',
  ],
  ...[
    '<i id=n>|</i>',
    '<small>|</small>',
    '<code>|</code>',
    '<label for=n>|</label>',
    '<a name="decoy">|</a>',
  ],
  ...[
    '<img src="/decoy/a.png" alt="">|',
    '<span data-href="/decoy/data">|</span>',
    '<blockquote>|</blockquote>',
  ],
  ...['<!-- <a href="/decoy/comment">x</a> -->|', '<textarea><a href="/decoy/area"></textarea>|'],
  ...['<a href="mailto:x@decoy.example">|</a>', '<a href="javascript:decoy()">|</a>'],
  ...['<script>"<a href=/decoy/in>"</script>|', '<STYLE>/*<a href=/decoy/css>*/</STYLE >|'],
  ...['a href="/decoy/text" |', 'http://decoy.example/decoy/ |', '&lt;a href="/decoy/entity"&gt; |'],
];
const ENTITIES = ['&amp;', '&nbsp;', '&eacute;', '&#8212;', '&lt;', '&quot;'];

const LONG_HEAD = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Page ${NUMBER_SLOT} <a href="/decoy/title">of</a> many</title>
<meta name="description" content="Nothing &quot;here&quot; <a href='/decoy/meta'> is true">
<style type="text/css">
body { margin: 0 auto; max-width: 60em; font: 16px/1.5 serif } a[href="/decoy/style"] { color: #123 }
.box > span { padding: 2px 4px; background: url(/decoy/style.png) } .lead { font-size: 120% }
</style>
<script>
var first = 0, last = 10;
for (var i = first; i < last && last > first; i++) { document.write('<a href="/decoy/script">' + i + '<\\/a>'); }
<!-- <a href="/decoy/script-comment">
window.location.hash || console.log("</scrip" + "t>", "<a href='/decoy/string'>");
</script>
<!-- <nav><a href="/decoy/nav">gone > from -- here</a></nav> -->
</head>
<body class="page">
`;
const SHORT_HEAD = `<!doctype html><title>${NUMBER_SLOT}</title><!--<a href="/decoy/comment">-->`;
const FOOT = '</body></html>\n';
/** Pages that are to be smaller than this get the short head. */
const LONG_HEAD_FROM = 4096;
const FILLER_SALT = 41;

export interface Head {
  /** A whole number of cells. */
  readonly bytes: Uint8Array;
  /** Where the page's number goes: ten digits. */
  readonly numberAt: number;
}

function cell(entity: string, markup: string, wordAt: number): string {
  const [before = '', after = ''] = markup.split('|');
  const plain = entity + words(wordAt, MARKUP - entity.length);
  return `${plain}${before}${words(wordAt, CELL - MARKUP - before.length - after.length - 1)}${after}\n`;
}

function words(from: number, length: number): string {
  return (WORDS + WORDS).slice(from % WORDS.length).slice(0, length);
}

function head(text: string): Head {
  const padded = text.padEnd(Math.ceil(text.length / CELL) * CELL, WORDS);
  return { bytes: new TextEncoder().encode(padded), numberAt: padded.indexOf(NUMBER_SLOT) };
}

export class SyntheticFiller {
  /** Longer than the largest page by ROTATIONS cells. */
  readonly cells: Uint8Array;
  /** One cell of plain text, to write over the end of a cell that a link broke into. */
  readonly text: Uint8Array;
  readonly foot = piece(FOOT);
  readonly #longHead = head(LONG_HEAD);
  readonly #shortHead = head(SHORT_HEAD);

  constructor(spec: SyntheticSpec) {
    const encoder = new TextEncoder();
    const count = Math.ceil((2 * spec.size) / CELL) + ROTATIONS;
    this.cells = new Uint8Array(count * CELL);
    for (let i = 0; i < count; i++) {
      const draw = mix(FILLER_SALT, i);
      const entity = draw % 4 === 0 ? `${ENTITIES[(draw >>> 4) % ENTITIES.length]} ` : '';
      const markup = MARKUPS[(draw >>> 8) % MARKUPS.length]!;
      encoder.encodeInto(cell(entity, markup, draw >>> 16), this.cells.subarray(i * CELL));
    }
    this.text = encoder.encode(`${words(0, CELL - 1)}\n`);
  }

  headFor(size: number): Head {
    return size < LONG_HEAD_FROM ? this.#shortHead : this.#longHead;
  }
}
