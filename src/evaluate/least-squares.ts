/** Linear least squares by normal equations; there are three unknowns at most and a handful of points. */

/** The x that makes rows * x closest to `values`. Null if the rows do not determine it. */
export function leastSquares(
  rows: readonly (readonly number[])[],
  values: readonly number[],
): number[] | null {
  const size = rows[0]?.length ?? 0;
  const system = Array.from({ length: size }, (_, i) => [
    ...Array.from({ length: size }, (_, j) => rows.reduce((sum, row) => sum + row[i]! * row[j]!, 0)),
    rows.reduce((sum, row, k) => sum + row[i]! * values[k]!, 0),
  ]);
  return size === 0 ? null : solve(system);
}

/** Gauss's elimination with pivots; each row ends with its right-hand side. */
function solve(system: number[][]): number[] | null {
  const size = system.length;
  const scale = Math.max(...system.flat().map(Math.abs));
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++)
      if (Math.abs(system[row]![column]!) > Math.abs(system[pivot]![column]!)) pivot = row;
    [system[column], system[pivot]] = [system[pivot]!, system[column]!];
    const head = system[column]!;
    if (!(Math.abs(head[column]!) > scale * 1e-12)) return null;
    for (const [row, entries] of system.entries()) {
      if (row === column) continue;
      const factor = entries[column]! / head[column]!;
      for (let k = column; k <= size; k++) entries[k] = entries[k]! - factor * head[k]!;
    }
  }
  return system.map((row, i) => row[size]! / row[i]!);
}
