import { z } from "zod";
import { inColumns, percentile } from "../report.ts";

const row = z.object({
  measurement: z.string(),
  figure: z.string(),
  unit: z.string(),
  /** Null where it could not be measured. */
  value: z.number().nullable(),
  /** Whether it is more than the value: the wait ended before. */
  isMore: z.boolean().optional(),
  /** Why there is no value, or one that should not be. */
  reason: z.string().optional(),
});

/** One figure of a server, or why there is none. */
export type Row = z.infer<typeof row>;

const result = z.object({
  version: z.literal(1),
  label: z.string(),
  /** In ISO 8601. */
  measuredAt: z.string(),
  /** With which sizes and times it was measured; no address and no secret is among them. */
  settings: z.record(z.string(), z.unknown()),
  rows: z.array(row),
});

/** What one run found. */
export type PeerResult = z.infer<typeof result>;

/**
 * Reads the result of another run.
 *
 * @throws {Error} with what is wrong, where it is none.
 */
export function readResult(text: string): PeerResult {
  const read = result.safeParse(jsonOf(text));
  if (read.success) return read.data;
  const [{ path, message }] = read.error.issues;
  const place = path.length > 0 ? `${path.join(".")}: ` : "";
  throw new Error(`is no result of deno task bench:peer: ${place}${message}`);
}

/** The value of a JSON text; undefined where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Rows of one measurement; those without a number say why. */
export function rowsOf(
  measurement: string,
  unit: string,
  figures: Record<string, number | undefined>,
  reason?: string,
): Row[] {
  return Object.entries(figures).map(([figure, value]) => ({
    measurement,
    figure,
    unit,
    value: value ?? null,
    ...value === undefined && { reason: reason ?? "no value came" },
  }));
}

/** A measurement that was not possible. */
export function unmeasured(measurement: string, error: unknown): Row {
  return { measurement, figure: "", unit: "", value: null, reason: reasonOf(error) };
}

/** What an error says, as the reason of a row. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The spread of times, in milliseconds. */
export function spreadOf(measurement: string, times: number[], reason?: string): Row[] {
  const at = (percent: number) => times.length > 0 ? percentile(times, percent) : undefined;
  const figures = { p50: at(50), p95: at(95), p99: at(99), max: at(100) };
  return rowsOf(measurement, "ms", figures, reason);
}

/** How many seconds something took; without a number, it took longer than it was waited for. */
export function durationOf(
  measurement: string,
  figure: string,
  seconds: number | undefined,
  patience: number,
): Row[] {
  const row = { measurement, figure, unit: "s", value: seconds ?? patience };
  return [seconds === undefined ? { ...row, isMore: true } : row];
}

/** A result as a table, with others beside it; what could not be measured is explained below it. */
export function peerTable(results: PeerResult[]): string {
  const names = new Map<string, { measurement: string; figure: string }>();
  for (const { rows } of results) for (const each of rows) names.set(nameOf(each), each);
  const notes: string[] = [];
  const noteOf = (text: string) => {
    if (!notes.includes(text)) notes.push(text);
    return `(${notes.indexOf(text) + 1})`;
  };
  const cell = ({ label, rows }: PeerResult, name: string) => {
    const found = rows.find((each) => nameOf(each) === name);
    if (!found) return "–";
    const { value, unit, isMore, reason } = found;
    const text = value === null ? "–" : `${isMore ? "> " : ""}${amount(value)} ${unit}`.trim();
    return reason === undefined ? text : `${text} ${noteOf(`${label}: ${reason}`)}`;
  };
  const table = inColumns([
    ["measurement", "figure", ...results.map(({ label }) => label)],
    ...[...names].map(([name, { measurement, figure }]) => [
      measurement,
      figure,
      ...results.map((each) => cell(each, name)),
    ]),
  ]);
  const lines = notes.map((text, index) => `(${index + 1}) ${text}`);
  return [table, ...lines].join("\n");
}

function nameOf({ measurement, figure }: { measurement: string; figure: string }): string {
  return `${measurement}, ${figure}`;
}

function amount(value: number): string {
  const maximumFractionDigits = Number.isInteger(value) || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString("en", { maximumFractionDigits });
}
