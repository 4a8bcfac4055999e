import type { Result } from "./measurement.ts";

const head = ["measurement", "figure", "measured", "beside", "ratio", "min–max", "aim"];

/** The results as lines of text, in columns. */
export function tableOf(results: Result[]): string {
  return inColumns([head, ...results.map(cellsOf)]);
}

/** Rows of cells as lines of text; the first two columns begin at the left, the others end at the right. */
export function inColumns(rows: string[][]): string {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
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

/** The median: the middle number, or the mean of the two in the middle. */
export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The percentile: the smallest number that this share of them does not exceed. */
export function percentile(numbers: number[], percent: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * percent / 100) - 1)];
}

/**
 * The limit of open files and sockets of a process here, which child processes share; Infinity where
 * it is unknown.
 */
export async function openFileLimit(): Promise<number> {
  try {
    const { stdout } = await new Deno.Command("sh", { args: ["-c", "ulimit -n"] }).output();
    const text = new TextDecoder().decode(stdout).trim();
    return /^\d+$/.test(text) ? Number(text) : Infinity;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return Infinity;
    throw error;
  }
}
