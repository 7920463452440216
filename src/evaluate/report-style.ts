/** The report page's style sheet: light, dark and print. */
export const REPORT_STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --text: #1c2430; --soft: #5b6675; --line: #dfe4ea; --card: #f6f8fa;
  --good: #18794e; --bad: #b42318;
  --c0: #1f66d1; --c1: #c2560c; --c2: #8893a1;
  --p0: #7a5195; --p1: #3d7d9c; --p2: #1f9e89; --p3: #e0a526; --p4: #d2553f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161c; --text: #e4e8ee; --soft: #9aa6b4; --line: #2b333e; --card: #1a2029;
    --good: #4cc38a; --bad: #ff8a7a;
    --c0: #6ea8ff; --c1: #ff9b5c; --c2: #76818f;
    --p0: #b48ad0; --p1: #6bb2d3; --p2: #4cc9b0; --p3: #f0c452; --p4: #f0806a;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 920px; margin: 0 auto; padding: 48px 24px 80px; }
h1 { font-size: 34px; line-height: 1.2; margin: 0 0 12px; letter-spacing: -0.01em; }
h2 { font-size: 21px; line-height: 1.3; margin: 0 0 6px; }
p { margin: 0 0 14px; }
.lead { font-size: 19px; color: var(--soft); max-width: 46em; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: 14px; margin: 28px 0 32px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px; display: flex;
  flex-direction: column; }
.card .what { font-size: 14px; color: var(--soft); line-height: 1.4; flex: 1; }
.card .value { font-size: 32px; font-weight: 650; line-height: 1.25; margin: 8px 0 4px; font-variant-numeric: tabular-nums; }
.card .asked { font-size: 13px; color: var(--soft); }
.card .met { color: var(--good); font-weight: 600; }
.card .missed { color: var(--bad); font-weight: 600; }
section, figure { margin: 44px 0 0; }
figure { break-inside: avoid-page; }
figcaption p { color: var(--text); max-width: 52em; }
.panels { display: flex; flex-wrap: wrap; gap: 12px 20px; margin: 10px 0 6px; }
.panels svg { display: block; width: 100%; height: auto; flex: 1 1 100%; }
.panels.two svg { flex: 1 1 360px; width: auto; min-width: 0; }
svg text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: var(--text); }
svg .tick, svg .axis-title { fill: var(--soft); }
svg .panel-title { font-weight: 600; }
svg .grid { stroke: var(--line); }
svg .axis { stroke: var(--soft); }
svg .curve { fill: none; stroke-width: 2.2; stroke: var(--c); stroke-linejoin: round; }
svg .dot { fill: var(--c); stroke: var(--page); stroke-width: 1.2; }
svg .error { stroke: var(--c); stroke-width: 1.4; }
svg .model.curve { stroke-dasharray: 6 4; stroke-width: 1.8; }
/* The second of two lines that may lie on each other is a wide band with rings, under the first. */
svg .measured.c1.curve { stroke-width: 6; opacity: 0.4; }
svg .measured.c1.dot { fill: none; stroke: var(--c); stroke-width: 2; r: 7px; }
svg .paper { opacity: 0.42; }
svg .c0 { --c: var(--c0); } svg .c1 { --c: var(--c1); } svg .c2 { --c: var(--c2); }
svg .p0 { fill: var(--p0); } svg .p1 { fill: var(--p1); } svg .p2 { fill: var(--p2); }
svg .p3 { fill: var(--p3); } svg .p4 { fill: var(--p4); }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; line-height: 1.35; font-variant-numeric: tabular-nums; width: 100%; }
th, td { padding: 5px 10px 5px 0; text-align: right; border-bottom: 1px solid var(--line); vertical-align: bottom; }
th { font-weight: 600; color: var(--soft); max-width: 9em; }
th:first-child, td:first-child, td.words { text-align: left; }
tr:last-child td { border-bottom: 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 20px; font-size: 15px; margin: 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
code, pre { font: 14px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 12px 14px; overflow-x: auto;
  white-space: pre-wrap; overflow-wrap: anywhere; }
@media print {
  :root { color-scheme: light; --page: #ffffff; --text: #000000; --soft: #444444; --line: #cccccc; --card: #ffffff;
    --good: #18794e; --bad: #b42318; --c0: #1f66d1; --c1: #c2560c; --c2: #8893a1;
    --p0: #7a5195; --p1: #3d7d9c; --p2: #1f9e89; --p3: #e0a526; --p4: #d2553f; }
  main { max-width: none; padding: 0; }
  body { font-size: 11pt; }
  .card, svg .part, svg .dot { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .table { overflow: visible; }
  table { font-size: 8pt; }
}
`;
