/** Rows as text, their columns one beneath the other. Every row has as many cells as the first. */
export function table(rows: string[][]): string {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column])).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}
