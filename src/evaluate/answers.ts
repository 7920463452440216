/** Answers of a cost model as a person reads them. */
import { formatBitRate, formatCount } from '../model/quantity.js';
import { alignColumns } from '../monitor/summary.js';
import { agentsFed, bestAgents, type CostModel, crawlSeconds, modelledSpeed } from './cost-model.js';

export interface Question {
  readonly pages: number;
  /** Null: as many as are best. */
  readonly agents: number | null;
  /** Bits per second of all agents together; null: as many as they can use. */
  readonly totalBandwidth: number | null;
}

const DAY = 86_400;

export function formatLong(seconds: number): string {
  if (!Number.isFinite(seconds)) return 'never';
  if (seconds >= 3 * DAY) return `${(seconds / DAY).toFixed(2)} days`;
  return seconds >= 3600 ? `${(seconds / 3600).toFixed(2)} hours` : `${seconds.toFixed(0)} seconds`;
}

/** The model as a formula, with m in its unit. */
export function formula({ coefficients, singleMachine, unit }: CostModel): string {
  const { fixed, a, b, c, d, e, f, g } = coefficients;
  const n = (value: number): string => `${value < 0 ? '- ' : '+ '}${Math.abs(value).toFixed(2)}`;
  return (
    `${singleMachine.toFixed(2)} - [${fixed.toFixed(2)} + (${a.toFixed(2)} ${n(b)} log2 m)` +
    ` + (${c.toFixed(2)} ${n(d)} n ${n(e)} log2 m) + (${f.toFixed(2)} (n - 1) ${n(g)} log2 m)]` +
    `, m in ${formatCount(unit)} pages`
  );
}

export function answerFromModel(model: CostModel, question: Question): string {
  const { pages, totalBandwidth } = question;
  const total = totalBandwidth ?? Number.POSITIVE_INFINITY;
  const best = bestAgents(model, pages, total);
  const row = (name: string, agents: number): [string, string, string] => [
    name,
    formatLong(crawlSeconds(model, agents, pages, total)),
    `${formatCount(modelledSpeed(model, agents, pages, total))} pages/s with ${formatCount(agents)} agents`,
  ];
  const rows: [string, string, string?][] = [];
  if (question.agents !== null) rows.push(row('asked for', question.agents));
  if (totalBandwidth !== null) {
    const fed = agentsFed(model, totalBandwidth);
    rows.push([
      'fed',
      `${formatCount(fed)} agents`,
      `by ${formatBitRate(totalBandwidth)} at ${formatBitRate(model.bandwidth)} each`,
    ]);
    if (fed > 0) rows.push(row('these', fed));
  }
  rows.push(row('best', best));
  return `${formatCount(pages)} pages; pages/s of an agent: ${formula(model)}\n${alignColumns(rows)}`;
}
