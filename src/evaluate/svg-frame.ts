/** What every drawn panel has: a legend, axes with ticks and titles, and the way from values to places. */

export interface LegendEntry {
  readonly name: string;
  /** Classes of the swatch, as the style sheet knows them. */
  readonly classes: string;
  readonly shape: 'line' | 'dot' | 'box';
}

export interface FrameInput {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly legend: readonly LegendEntry[];
  readonly highest: number;
}

export interface Frame {
  /** The plot's edges. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  yOf(value: number): number;
  /** The SVG, around what is drawn inside the plot and under its x axis. */
  close(inside: string): string;
}

/** In the units of the view box; the style sheet sets the same. */
const FONT = 13;
/** A letter is narrower than that on the average, in every sans-serif that a browser may choose. */
const LETTER = 0.58 * FONT;
const LEGEND_LINE = 20;
const SWATCH = 26;
const LEGEND_GAP = 20;
const EDGE = 8;
const BELOW = 46;
const TITLE_LINE = 22;

export function drawFrame(input: FrameInput): Frame {
  const { height, highest, title, width, xTitle, yTitle } = input;
  const ticks = niceTicks(highest);
  const top = ticks.at(-1)!;
  const labels = ticks.map((tick) => formatTick(tick, ticks[1]! - ticks[0]!));
  const left = EDGE + FONT + 10 + Math.max(...labels.map((label) => label.length)) * LETTER + 8;
  const legend = drawLegend(input.legend, left, width - EDGE, title === '' ? 0 : TITLE_LINE);
  const plot = { left, right: width - EDGE - 6, top: legend.bottom + 10, bottom: height - BELOW };
  const yOf = (value: number): number => plot.bottom - (value / top) * (plot.bottom - plot.top);
  const middle = (plot.left + plot.right) / 2;
  const centre = (plot.top + plot.bottom) / 2;
  const heading = title === '' ? '' : text(plot.left, FONT + 2, title, 'start', 'panel-title');
  const grid = ticks
    .map((tick, i) => {
      const y = yOf(tick);
      return (
        line(plot.left, y, plot.right, y, i === 0 ? 'axis' : 'grid') +
        text(plot.left - 8, y + FONT / 3, labels[i]!, 'end', 'tick')
      );
    })
    .join('');
  const titles =
    text(middle, height - EDGE, xTitle, 'middle', 'axis-title') +
    `<text class="axis-title" text-anchor="middle" transform="translate(${EDGE + FONT - 2} ${round(centre)}) rotate(-90)">${escapeText(yTitle)}</text>`;
  return {
    ...plot,
    yOf,
    close: (inside) =>
      `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(title === '' ? `${yTitle} by ${xTitle}` : title)}">` +
      `${heading}${legend.svg}${grid}${inside}${titles}</svg>`,
  };
}

function drawLegend(
  entries: readonly LegendEntry[],
  left: number,
  right: number,
  top: number,
): { svg: string; bottom: number } {
  let x = left;
  let y = top + LEGEND_LINE / 2;
  let svg = '';
  for (const { classes, name, shape } of entries) {
    const width = SWATCH + 6 + name.length * LETTER;
    if (x > left && x + width > right) {
      x = left;
      y += LEGEND_LINE;
    }
    if (shape === 'line') svg += line(x, y, x + SWATCH, y, `curve ${classes}`);
    else if (shape === 'dot')
      svg += `<circle class="dot ${classes}" cx="${round(x + SWATCH / 2)}" cy="${round(y)}" r="4"/>`;
    else svg += box(x + 6, y - 6, 14, 12, classes);
    svg += text(x + SWATCH + 6, y + FONT / 3, name, 'start', 'legend');
    x += width + LEGEND_GAP;
  }
  return { svg, bottom: y + LEGEND_LINE / 2 };
}

/** From 0 to at least `highest`, in steps that people count in. */
export function niceTicks(highest: number): number[] {
  const most = highest > 0 && Number.isFinite(highest) ? highest : 1;
  const rough = most / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough)!;
  const count = Math.ceil(most / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, i) => i * step);
}

function formatTick(value: number, step: number): string {
  const digits = Math.max(0, Math.min(6, Math.ceil(-Math.log10(step) - 1e-9)));
  const more = Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) > 1e-6 ? 1 : 0;
  return value.toLocaleString('en-US', {
    minimumFractionDigits: digits + more,
    maximumFractionDigits: digits + more,
  });
}

export const round = (value: number): number => Math.round(value * 100) / 100;

export function escapeText(value: string): string {
  return value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

export function text(
  x: number,
  y: number,
  value: string,
  anchor: 'start' | 'middle' | 'end',
  classes: string,
): string {
  return `<text class="${classes}" x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escapeText(value)}</text>`;
}

export function line(x1: number, y1: number, x2: number, y2: number, classes: string): string {
  return `<line class="${classes}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`;
}

export function box(
  x: number,
  y: number,
  width: number,
  height: number,
  classes: string,
  title = '',
): string {
  const inner = title === '' ? '' : `<title>${escapeText(title)}</title>`;
  return `<rect class="part ${classes}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(Math.max(0, height))}">${inner}</rect>`;
}
