/** What an evaluation found, as it is printed at the end. */
import { alignColumns } from '../monitor/summary.js';
import { formula } from './answers.js';
import { PAPER_MODEL } from './cost-model.js';
import { explainBandwidth } from './evaluation.js';
import type { Verdict } from './findings.js';
import type { Results } from './results-file.js';

export const formatVerdict = ({ unit }: Verdict, value: number | null): string =>
  value === null ? '-' : `${value.toFixed(2)}${unit}`;

export function summariseFindings({ calibration, findings }: Results): string {
  if (calibration === null || findings === null) return 'nothing was measured';
  const rows = findings.verdicts.map((verdict): [string, string, string] => {
    const bar = `${verdict.isLeast ? 'at least' : 'at most'} ${verdict.bar}${verdict.unit}`;
    const paper = verdict.paper === null ? '' : `, the paper ${formatVerdict(verdict, verdict.paper)}`;
    return [
      verdict.name,
      formatVerdict(verdict, verdict.here),
      `${verdict.isMet ? 'met' : 'NOT met'}: ${bar}${paper}`,
    ];
  });
  const model =
    findings.model === null
      ? ''
      : `\npages/s of an agent\n  here   ${formula(findings.model)}\n  paper  ${formula(PAPER_MODEL)}`;
  return `${explainBandwidth(calibration)}\n${alignColumns(rows)}${model}`;
}
