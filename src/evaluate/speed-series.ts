/** What the figures of speed are drawn from: their axes, series and columns. */
import type { LinePanel, Mark, Series } from './figure.js';
import type { MeasuredPoint } from './measured.js';

export const AGENTS_TITLE = 'Number of agents n';
export const SPEED_TITLE = 'Pages per second';

const speedMark = (x: number, { speed }: MeasuredPoint): Mark => ({
  x,
  y: speed.median,
  low: speed.low,
  high: speed.high,
});

export const perCent = (value: number): string => `${value.toFixed(2)}%`;

export function series(
  name: string,
  of: Series['of'],
  colour: number,
  style: Series['style'],
  marks: Mark[],
): Series {
  return { name, of, colour, style, marks };
}

export const columns = (...list: (readonly [name: string, digits: number])[]) =>
  list.map(([name, digits]) => ({ name, digits }));

/** What was measured, as a line or as dots: `x` is the number of agents unless told. */
export function measuredSeries(
  name: string,
  colour: number,
  style: Series['style'],
  points: readonly MeasuredPoint[],
  x: (point: MeasuredPoint) => number = ({ agents }) => agents,
): Series {
  return series(
    name,
    'measured',
    colour,
    style,
    points.map((point) => speedMark(x(point), point)),
  );
}

/** A panel of speeds by number of agents. */
export const speedPanel = (title: string, xTicks: readonly number[], list: readonly Series[]): LinePanel => ({
  kind: 'lines',
  title,
  xTitle: AGENTS_TITLE,
  yTitle: SPEED_TITLE,
  xTicks,
  isLog: false,
  series: list,
});
