import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FIGURES } from '#drumline/evaluate/experiment.js';
import { niceTicks } from '#drumline/evaluate/svg-frame.js';
import { writeReport } from '#drumline/evaluate/write-report.js';
import { faults } from './chart-boxes.js';
import { madeResults } from './made-results.js';

const directory = mkdtempSync(join(tmpdir(), 'drumline-report-'));
after(() => rmSync(directory, { recursive: true, force: true }));
writeReport(directory, madeResults(), FIGURES);
const page = readFileSync(join(directory, 'report.html'), 'utf8');
const figures = [...page.matchAll(/<figure id="([\w-]+)">(.*?)<\/figure>/gs)].map(([, id, html]) => ({
  id: id!,
  svgs: [...html!.matchAll(/<svg.*?<\/svg>/gs)].map(([svg]) => svg),
  html: html!,
}));

test('every figure is drawn, with axes, legend, a sentence and its table', () => {
  assert.deepEqual(
    figures.map(({ id }) => id),
    ['figure-7', 'figure-8', 'figure-9', 'figure-10', 'figure-11', 'figure-12', 'figure-communication'],
  );
  for (const { id, svgs, html } of figures) {
    assert.ok(svgs.length > 0, id);
    for (const svg of svgs) {
      for (const part of ['class="axis', 'class="tick"', 'class="legend"', 'class="series"', 'paper'])
        assert.ok(svg.includes(part), `${id} has no ${part}`);
      assert.doesNotMatch(svg, /NaN|Infinity|undefined/, id);
    }
    assert.match(html, /<figcaption>.*<p>.{30,}<\/p>/s, id);
    assert.match(html, /<table>/, id);
  }
  assert.match(page, /class="error/, 'error bars');
});

test('no text of a figure stands on another or out of the picture', () => {
  for (const { id, svgs } of figures) for (const svg of svgs) assert.deepEqual(faults(svg), [], id);
});

test('the check of places finds what overlaps', () => {
  const text = (x: number): string => `<text class="tick" x="${x}" y="50" text-anchor="middle">10,000</text>`;
  const svg = (...parts: string[]): string => `<svg viewBox="0 0 200 100">${parts.join('')}</svg>`;
  assert.equal(faults(svg(text(60), text(140))).length, 0);
  assert.equal(faults(svg(text(60), text(80))).length, 1);
  assert.equal(faults(svg(text(10))).length, 1);
});

test('the page needs nothing from outside', () => {
  assert.doesNotMatch(page, /<script|<link|<img|<iframe|@import|url\(|\ssrc=|\shref=/i);
  assert.match(page, /prefers-color-scheme: dark/);
  assert.match(page, /@media print/);
});

test('a CSV stands beside the page for every figure, with a value for every column', () => {
  const names = readdirSync(directory).filter((name) => name.endsWith('.csv'));
  assert.equal(names.length, 8);
  const cells = (line: string): number => line.replace(/"[^"]*"/g, '').split(',').length;
  for (const name of names) {
    const [head, ...rows] = readFileSync(join(directory, name), 'utf8').trimEnd().split('\n');
    assert.ok(rows.length > 0, name);
    for (const row of rows) assert.equal(cells(row), cells(head!), name);
  }
});

test('ticks begin at 0, are even and reach the highest value', () => {
  for (const highest of [0.003, 0.7, 1, 6.96, 39, 1400, 12_399, 149_081]) {
    const ticks = niceTicks(highest);
    assert.ok(ticks[0] === 0 && ticks.at(-1)! >= highest && ticks.at(-2)! < highest, `${highest}: ${ticks}`);
    assert.ok(ticks.length >= 4 && ticks.length <= 7, `${highest}: ${ticks}`);
  }
});

const browser = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);

/** Runs in the page: boxes of texts and blocks as the browser laid them out. */
const LOOK = `
const found = [];
const meets = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
const pairs = (list, name) => list.forEach((a, i) => list.slice(i + 1).forEach((b) => {
  if (meets(a.getBoundingClientRect(), b.getBoundingClientRect())) found.push(name + ': ' + a.textContent.slice(0, 30) + ' / ' + b.textContent.slice(0, 30));
}));
for (const svg of document.querySelectorAll('figure svg')) {
  const outer = svg.getBoundingClientRect();
  if (outer.width < 200 || outer.height < 150) found.push('an SVG of ' + outer.width + ' x ' + outer.height);
  const texts = [...svg.querySelectorAll('text')];
  for (const one of texts) {
    const box = one.getBoundingClientRect();
    if (box.left < outer.left - 1 || box.right > outer.right + 1 || box.top < outer.top - 1 || box.bottom > outer.bottom + 1) found.push('out of the picture: ' + one.textContent);
  }
  pairs(texts, 'texts');
  const drawn = [...svg.querySelectorAll('.series path, .series circle, .series rect')].map((one) => one.getBoundingClientRect());
  if (!drawn.some(({ width, height }) => width > 0 && height > 0)) found.push('nothing is drawn');
}
pairs([...document.querySelectorAll('main > *')], 'blocks');
pairs([...document.querySelectorAll('.card')], 'cards');
if (document.documentElement.scrollWidth > innerWidth) found.push('wider than the window');
document.body.dataset.figures = document.querySelectorAll('figure svg').length;
document.body.dataset.found = found.join('; ');
`;

for (const width of [1100, 500]) {
  test(`in a browser ${width} wide, every figure is drawn and nothing overlaps`, {
    skip: browser === undefined ? 'no chromium on this machine' : false,
  }, () => {
    const looked = join(directory, `looked-${width}.html`);
    writeFileSync(looked, page.replace('</body>', `<script>${LOOK}</script></body>`));
    const words = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];
    words.push('--disable-background-networking', '--disable-component-update', '--disable-sync');
    words.push(`--user-data-dir=${join(directory, 'profile')}`, `--window-size=${width},900`, '--dump-dom');
    const dom = execFileSync(browser!, [...words, `file://${looked}`], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    assert.match(dom, /data-figures="9"/);
    assert.equal(/data-found="([^"]*)"/.exec(dom)?.[1], '');
  });
}
