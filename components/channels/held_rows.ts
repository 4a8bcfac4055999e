/**
 * The rows of a list while the reader points at it: each stays where it is, with its latest values. Rows
 * that were not there before wait until the reader points elsewhere.
 */
export function heldRows<Row>(
  shown: readonly Row[],
  latest: readonly Row[],
  keyOf: (row: Row) => string,
): readonly Row[] {
  const byKey = new Map(latest.map((row) => [keyOf(row), row]));
  return shown.map((row) => byKey.get(keyOf(row)) ?? row);
}
