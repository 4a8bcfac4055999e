import type { Result } from "./rounds.ts";

const head = ["measurement", "figure", "measured", "beside", "ratio", "min–max", "aim"];

/** The results as lines of text, in columns. */
export function tableOf(results: Result[]): string {
  const rows = [head, ...results.map(cellsOf)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row: string[]) =>
    row.map((cell, column) =>
      column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])
    ).join("  ");
  return rows.map(line).join("\n");
}

function cellsOf(result: Result): string[] {
  const { measurement, name, unit, measured, beside, ratio } = result;
  const { median, lowest, highest } = ratio;
  return [
    measurement,
    name,
    `${amount(measured)} ${unit}`,
    `${amount(beside)} ${unit}`,
    median.toFixed(2),
    `${lowest.toFixed(2)}–${highest.toFixed(2)}`,
    aimOf(result),
  ];
}

function aimOf({ aim, least, ratio: { median } }: Result): string {
  if (aim !== undefined) return `≤ ${aim.toFixed(2)} ${median <= aim ? "met" : "missed"}`;
  if (least !== undefined) return `≥ ${least.toFixed(2)} ${median >= least ? "met" : "missed"}`;
  return "";
}

function amount(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
