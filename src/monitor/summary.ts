/** Aligned columns for the end of a crawl and for `web info`. */
export function alignColumns(
  rows: readonly (readonly [label: string, value: string, note?: string])[],
): string {
  const labels = Math.max(...rows.map(([label]) => label.length));
  const values = Math.max(...rows.map(([, value]) => value.length));
  return rows
    .map(([label, value, note]) =>
      `  ${label.padEnd(labels)}  ${value.padStart(values)}${note ? `  ${note}` : ''}`.trimEnd(),
    )
    .join('\n');
}
