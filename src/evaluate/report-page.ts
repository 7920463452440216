/** report.html: one page that needs nothing else, with what was found first and what it was found with last. */
import { formatBitRate, formatBytes, formatCount } from '../model/quantity.js';
import { formula } from './answers.js';
import type { Calibration } from './calibration.js';
import { type Coefficients, type CostModel, PAPER_MODEL } from './cost-model.js';
import { explainBandwidth } from './evaluation.js';
import type { Figure, Table } from './figure.js';
import type { Verdict } from './findings.js';
import { REPORT_STYLE } from './report-style.js';
import type { Results } from './results-file.js';
import { formatVerdict } from './summary.js';
import { escapeText } from './svg-frame.js';
import { drawPanel } from './svg-panels.js';

/** REQUIRES: calibrated, and findings made. */
export function reportPage(results: Results, figures: readonly Figure[]): string {
  const calibration = results.calibration!;
  const { model, verdicts } = results.findings!;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>drumline: the papers' experiments on this box</title>
<style>${REPORT_STYLE}</style>
</head>
<body>
<main>
<h1>${escapeText(headline(verdicts))}</h1>
<p class="lead">The experiments of FC2L-UDCbot, repeated with drumline on ${results.environment.cores} cores
and drawn beside the paper's numbers, which are lighter.</p>
<div class="cards">
${verdicts.map(card).join('\n')}
</div>
${method(results, calibration)}
${figures.map(drawFigure).join('\n')}
${model === null ? '' : modelSection(model)}
${environment(results, calibration)}
</main>
</body>
</html>
`;
}

function headline(verdicts: readonly Verdict[]): string {
  const speedUp = verdicts.find(({ isLeast }) => isLeast);
  return speedUp === undefined
    ? "The papers' experiments on this box"
    : `7 agents crawl ${speedUp.here.toFixed(2)} times as fast as 1; in the paper ${speedUp.paper?.toFixed(2)} times`;
}

function card(verdict: Verdict): string {
  const { bar, isLeast, isMet, loaded, name, paper, unit } = verdict;
  const said = [
    paper === null ? '' : `the paper: ${formatVerdict(verdict, paper)}`,
    loaded === null ? '' : `without start of threads: ${formatVerdict(verdict, loaded)}`,
  ].filter((part) => part !== '');
  const asked = `asked: ${isLeast ? '≥' : '≤'} ${bar}${unit}`;
  return `<div class="card"><div class="what">${escapeText(name)}</div>
<div class="value">${formatVerdict(verdict, verdict.here)}</div>
<div class="asked"><span class="${isMet ? 'met' : 'missed'}">${isMet ? '✓' : '✗'} ${escapeText(asked)}</span>
${said.map((part) => `<br>${escapeText(part)}`).join('')}</div></div>`;
}

function method(results: Results, calibration: Calibration): string {
  const { scale } = calibration;
  const { repeat } = results.settings;
  const size =
    scale.by === 'total'
      ? `Every crawl fetches ${formatCount(scale.pages)} pages, as in the paper, unless it says otherwise.`
      : `Every agent fetches ${formatCount(scale.pages)} pages, so that all crawls take as long; the paper has a million pages ` +
        'for any number of agents, which takes hours.';
  return `<section><h2>How it was measured</h2>
<p>${escapeText(explainBandwidth(calibration))} ${escapeText(size)} Each kind of crawl ran ${repeat} ${repeat === 1 ? 'time' : 'times'},
in rounds, every second one backwards; shown are medians, and the error bars go from the lowest to the highest.</p>
<p>The verdicts above count the whole time of a crawl; what they are without the start of the threads stands beside. In the
figures time counts from when an agent's thread has loaded its code, as the paper's programs were running before its
crawls began. Speeds are in pages of ${formatCount(calibration.bytesPerPage)} bytes or so, the
mean of all crawls, because the pages of one crawl are a little larger than those of another. An overhead is the share
of an agent's time that it takes, measured inside the agent, as a share of the single machine's speed.</p></section>`;
}

function drawFigure(figure: Figure): string {
  const { panels, sentence, table, title } = figure;
  const isTwo = panels.length > 1;
  return `<figure id="figure-${figure.id}"><figcaption><h2>${escapeText(title)}</h2><p>${escapeText(sentence)}</p></figcaption>
<div class="panels${isTwo ? ' two' : ''}">${panels.map((panel) => drawPanel(panel, isTwo ? 'half' : 'whole')).join('')}</div>
${drawTable(table)}</figure>`;
}

export function drawTable({ columns, rows }: Table): string {
  const cell = (value: number | string | null, digits: number): string => {
    if (value === null) return '–';
    if (typeof value === 'string') return escapeText(value);
    return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  };
  const head = columns.map(({ name }) => `<th scope="col">${escapeText(name)}</th>`).join('');
  const body = rows
    .map((row) => {
      const cells = row.map((value, i) => {
        const kind = typeof value === 'string' ? ' class="words"' : '';
        return `<td${kind}>${cell(value, columns[i]!.digits)}</td>`;
      });
      return `<tr>${cells.join('')}</tr>`;
    })
    .join('\n');
  return `<div class="table"><table><thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div>`;
}

const TERMS: readonly [keyof Coefficients, string][] = [
  ['fixed', 'set-up'],
  ['a', 'sending site URLs'],
  ['b', 'sending site URLs, by log2 m'],
  ['c', 'site partition information'],
  ['d', 'site partition information, by n'],
  ['e', 'site partition information, by log2 m'],
  ['f', 'exchanging page URLs, by n - 1'],
  ['g', 'exchanging page URLs, by log2 m'],
];

/** The coefficients here and in the paper. */
export function modelTable({ coefficients, singleMachine }: CostModel): Table {
  return {
    columns: [
      { name: 'coefficient', digits: 0 },
      { name: 'of', digits: 0 },
      { name: 'here', digits: 3 },
      { name: 'paper', digits: 2 },
    ],
    rows: [
      ['single machine', 'pages/s', singleMachine, PAPER_MODEL.singleMachine],
      ...TERMS.map(([name, of]) => [name, of, coefficients[name], PAPER_MODEL.coefficients[name]]),
    ],
  };
}

function modelSection(model: CostModel): string {
  return `<section id="model"><h2>The cost model</h2>
<p>Pages per second of one agent, in the paper's form, fitted to the overheads of figures 9 and 10 by least squares. m counts in
${formatCount(model.unit)} pages here and in a million in the paper.</p>
<pre>here   ${escapeText(formula(model))}
paper  ${escapeText(formula(PAPER_MODEL))}</pre>
${drawTable(modelTable(model))}
<p></p><p><code>drumline evaluate --model DIR --pages 30e9 --total-bandwidth 10Gbit</code> asks it how long a crawl takes and which
number of agents is best; <code>--model paper</code> asks the paper's.</p></section>`;
}

function environment(
  { command, environment: box, runs, settings }: Results,
  calibration: Calibration,
): string {
  const rows: [string, string][] = [
    ['Processor', `${box.cpu}, ${box.cores} cores`],
    ['Memory', `${formatBytes(box.memoryBytes)}, of which a crawl may use ${settings.memory}`],
    ['Disk', `${box.disk}, ${formatBytes(box.diskFreeBytes)} free`],
    ['System', `${box.system}, Node ${box.node}, drumline ${box.drumline}`],
    ['Web', calibration.web],
    ['Bandwidth', `${formatBitRate(calibration.bandwidth)} an agent`],
    ['Crawls', `${runs.length}, each repeated ${settings.repeat} times`],
    ['Date', box.date],
  ];
  return `<section><h2>Environment</h2>
<dl>${rows.map(([name, value]) => `<dt>${escapeText(name)}</dt><dd>${escapeText(value)}</dd>`).join('')}</dl>
<p></p><p>To repeat it:</p><pre>${escapeText(command)} --out DIR</pre>
<p>Beside this page: <code>results.json</code> with every crawl, and a CSV for each figure.</p></section>`;
}
