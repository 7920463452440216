/** Writes report.html and a CSV for each figure beside results.json. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FigureNumber } from './experiment.js';
import { type Figure, toCsv } from './figure.js';
import type { Findings } from './findings.js';
import { figure11, figure12 } from './model-figures.js';
import { communicationFigure, figure9, figure10 } from './overhead-figures.js';
import { modelTable, reportPage } from './report-page.js';
import type { Results } from './results-file.js';
import { figure7, figure8 } from './speed-figures.js';

const MAKERS: Record<FigureNumber, (findings: Findings) => Figure> = {
  7: figure7,
  8: figure8,
  9: figure9,
  10: figure10,
  11: figure11,
  12: figure12,
};

/** The figures that were asked for; communication is measured by the way wherever there are agents. */
export function makeFigures(findings: Findings, numbers: readonly FigureNumber[]): Figure[] {
  const figures = numbers.map((number) => MAKERS[number](findings));
  return findings.fullCoverage.length > 0 ? [...figures, communicationFigure(findings)] : figures;
}

/** REQUIRES: the evaluation is finished. Returns the paths written, with that of the results. */
export function writeReport(out: string, results: Results, numbers: readonly FigureNumber[]): string[] {
  const findings = results.findings!;
  const figures = makeFigures(findings, numbers);
  const page = join(out, 'report.html');
  writeFileSync(page, reportPage(results, figures));
  const tables = figures.map(
    ({ id, table }) => [id === 'communication' ? id : `figure-${id}`, table] as const,
  );
  const all = findings.model === null ? tables : [...tables, ['model', modelTable(findings.model)] as const];
  const csvs = all.map(([name, table]) => {
    const path = join(out, `${name}.csv`);
    writeFileSync(path, toCsv(table));
    return path;
  });
  return [page, join(out, 'results.json'), ...csvs];
}
