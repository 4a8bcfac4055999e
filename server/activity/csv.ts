/**
 * What spreadsheets take as the start of a formula, in half and full width. Some skip spaces, marks and
 * other characters before it that are not seen.
 */
const formulaStart = /^([^\p{L}\p{N}\p{P}\p{S}]*[=+\-@＝＋－＠]|[\t\r\n])/u;

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
