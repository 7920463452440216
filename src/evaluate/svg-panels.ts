/** Draws panels as SVG: lines with error bars, and stacked bars. Colours are the style sheet's. */
import type { BarPanel, LinePanel, Mark, Series } from './figure.js';
import { box, drawFrame, type Frame, line, niceTicks, round, text } from './svg-frame.js';

/** Two panels share a row, so that each is half as wide. */
export type PanelWidth = 'whole' | 'half';

const SIZE: Record<PanelWidth, { width: number; height: number }> = {
  whole: { width: 780, height: 380 },
  half: { width: 480, height: 380 },
};
const TICK_BASE = 20;
const DOT = 4;
const CAP = 5;

export function drawPanel(panel: LinePanel | BarPanel, width: PanelWidth): string {
  return panel.kind === 'lines' ? drawLines(panel, width) : drawBars(panel, width);
}

const classesOf = ({ colour, of }: Series): string => `c${colour} ${of}`;

function drawLines(panel: LinePanel, width: PanelWidth): string {
  const drawn = panel.series.filter(({ marks }) => marks.length > 0);
  const marks = drawn.flatMap((series) => series.marks);
  const frame = drawFrame({
    ...SIZE[width],
    ...panel,
    legend: drawn.map((series) => ({
      name: series.name,
      classes: classesOf(series),
      shape: series.style === 'dots' ? 'dot' : 'line',
    })),
    highest: Math.max(0, ...marks.map(({ y, high }) => high ?? y)),
  });
  const xs = [...marks.map(({ x }) => x), ...(panel.xTicks ?? [])];
  const place = (x: number): number => (panel.isLog ? Math.log2(x) : x);
  const lowest = Math.min(...xs.map(place));
  const highest = Math.max(...xs.map(place));
  const inset = 14;
  const room = frame.right - frame.left - 2 * inset;
  const xOf = (x: number): number =>
    frame.left + inset + (highest === lowest ? 0.5 : (place(x) - lowest) / (highest - lowest)) * room;
  const ticks = (panel.xTicks ?? niceTicks(Math.max(...xs, 0)))
    .map((tick) => tickLabel(xOf(tick), frame, tick.toLocaleString('en-US', { maximumFractionDigits: 1 })))
    .join('');
  // What was measured is drawn last, and the first of it on top, so that nothing hides it.
  const order = { paper: 0, model: 1, measured: 2 };
  const lines = [...drawn]
    .sort((a, b) => order[a.of] - order[b.of] || b.colour - a.colour)
    .map((series) => drawSeries(series, xOf, frame))
    .join('');
  return frame.close(ticks + lines);
}

function tickLabel(x: number, frame: Frame, label: string): string {
  return (
    line(x, frame.bottom, x, frame.bottom + 4, 'axis') +
    text(x, frame.bottom + TICK_BASE - 2, label, 'middle', 'tick')
  );
}

function drawSeries(series: Series, xOf: (x: number) => number, frame: Frame): string {
  const classes = classesOf(series);
  const path = series.marks.map(
    ({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${round(xOf(x))} ${round(frame.yOf(y))}`,
  );
  const curve = series.style === 'line' ? `<path class="curve ${classes}" d="${path.join('')}"/>` : '';
  // A dot on each of 300 places would hide the curve.
  const isDotted = series.of !== 'model' && series.marks.length <= 20;
  const dots = isDotted
    ? series.marks.map((mark) => drawMark(mark, series, xOf(mark.x), frame)).join('')
    : '';
  return `<g class="series" data-name="${series.name.replace(/"/g, '')}">${curve}${dots}</g>`;
}

function drawMark({ high, low, x, y }: Mark, series: Series, at: number, frame: Frame): string {
  const classes = classesOf(series);
  const spread =
    low === undefined || high === undefined
      ? ''
      : line(at, frame.yOf(low), at, frame.yOf(high), `error ${classes}`) +
        line(at - CAP, frame.yOf(low), at + CAP, frame.yOf(low), `error ${classes}`) +
        line(at - CAP, frame.yOf(high), at + CAP, frame.yOf(high), `error ${classes}`);
  const value = y.toLocaleString('en-US', { maximumSignificantDigits: 5 });
  return (
    `${spread}<circle class="dot ${classes}" cx="${round(at)}" cy="${round(frame.yOf(y))}" r="${DOT}">` +
    `<title>${series.name}, ${x.toLocaleString('en-US')}: ${value}</title></circle>`
  );
}

function drawBars(panel: BarPanel, width: PanelWidth): string {
  const heights = panel.groups.flatMap(({ bars }) =>
    bars.map(({ parts }) => parts.reduce((sum, part) => sum + Math.max(0, part), 0)),
  );
  const hasPaper = panel.groups.some(({ bars }) => bars.some(({ isPaper }) => isPaper));
  const frame = drawFrame({
    ...SIZE[width],
    ...panel,
    // From above, as they stand on each other.
    legend: [
      ...panel.partNames.map((name, i) => ({ name, classes: `p${i}`, shape: 'box' as const })),
      ...(hasPaper
        ? [{ name: 'right, lighter: the paper', classes: 'p4 paper', shape: 'box' as const }]
        : []),
    ],
    highest: Math.max(0, ...heights),
  });
  const slot = (frame.right - frame.left) / Math.max(1, panel.groups.length);
  const inside = panel.groups
    .map(({ bars, label }, i) => {
      const middle = frame.left + slot * (i + 0.5);
      const barWidth = Math.min(46, (slot * 0.7) / Math.max(1, bars.length));
      const from = middle - (barWidth * bars.length) / 2;
      const drawn = bars.map(({ isPaper, parts }, k) =>
        drawBar(parts, panel.partNames, from + k * barWidth + 1.5, barWidth - 3, isPaper, frame),
      );
      return `<g class="series">${drawn.join('')}</g>${tickLabel(middle, frame, label)}`;
    })
    .join('');
  return frame.close(inside);
}

function drawBar(
  parts: readonly number[],
  names: readonly string[],
  x: number,
  width: number,
  isPaper: boolean,
  frame: Frame,
): string {
  let below = 0;
  return parts
    .map((part, i) => {
      const above = below + Math.max(0, part);
      const title = `${isPaper ? 'the paper, ' : ''}${names[i]}: ${part.toFixed(2)}`;
      const y = frame.yOf(above);
      const drawn = box(x, y, width, frame.yOf(below) - y, `p${i}${isPaper ? ' paper' : ''}`, title);
      below = above;
      return drawn;
    })
    .join('');
}
