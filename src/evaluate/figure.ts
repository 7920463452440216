/** What a figure is before it is drawn: the page's SVG, its table and the CSV all come from this. */

export interface Mark {
  readonly x: number;
  readonly y: number;
  /** The spread, where there was one. */
  readonly low?: number;
  readonly high?: number;
}

export interface Series {
  readonly name: string;
  /** The paper's is drawn lighter. */
  readonly of: 'measured' | 'model' | 'paper';
  /** Series with one colour belong together: what was measured, and the paper's of the same. */
  readonly colour: number;
  readonly style: 'line' | 'dots';
  readonly marks: readonly Mark[];
}

export interface LinePanel {
  readonly kind: 'lines';
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  /** Where the ticks of x stand; null: where they fit. */
  readonly xTicks: readonly number[] | null;
  /** Is every step to the right a doubling? */
  readonly isLog: boolean;
  readonly series: readonly Series[];
}

export interface Bar {
  /** Heights of its parts, from below. */
  readonly parts: readonly number[];
  readonly isPaper: boolean;
}

export interface BarPanel {
  readonly kind: 'bars';
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly partNames: readonly string[];
  readonly groups: readonly { readonly label: string; readonly bars: readonly Bar[] }[];
}

export interface Column {
  readonly name: string;
  /** Digits behind the point. */
  readonly digits: number;
}

export interface Table {
  readonly columns: readonly Column[];
  /** Null where there is nothing to say. */
  readonly rows: readonly (readonly (number | string | null)[])[];
}

export interface Figure {
  /** As in `figure-7.csv`. */
  readonly id: string;
  readonly title: string;
  /** What it shows. */
  readonly sentence: string;
  readonly panels: readonly (LinePanel | BarPanel)[];
  readonly table: Table;
}

export function toCsv({ columns, rows }: Table): string {
  const cell = (value: number | string | null): string => {
    const text = value === null ? '' : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `${[columns.map(({ name }) => name), ...rows].map((row) => row.map(cell).join(',')).join('\n')}\n`;
}
