/** What spreadsheets take as the start of a formula, in half and full width. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * A line of CSV (RFC 4180) with its line end. Every cell is quoted. A cell that a spreadsheet would run
 * as a formula gets a `'` before it, which makes it a text.
 */
export function csvLine(cells: string[]): string {
  return cells.map(quoted).join(",") + "\r\n";
}

function quoted(cell: string): string {
  const text = formulaStart.test(cell) ? `'${cell}` : cell;
  return `"${text.replaceAll('"', '""')}"`;
}
