import { captionText, lineText } from "@/components/history/history_text.ts";
import type { HistoryReport, MeasuredHistory } from "@/shared/history.ts";

/** A report of an hour whose last minutes have these numbers of users; null is a gap. */
export function hourOf(numbers: (number | null)[], begin: number): HistoryReport {
  const known = numbers.map((most) => most === null ? null : { most, fewest: most });
  const before = Array.from({ length: 60 - known.length }, () => null);
  const measured: MeasuredHistory = {
    range: "hour",
    compare: null,
    earlier: null,
    at: begin + 60 * 60_000 - 1,
    startsAt: begin,
    intervalMs: 60_000,
    points: [...before, ...known],
    midnight: begin,
    peak: null,
    context: { before: null, usual: null, record: null },
  };
  return {
    ...measured,
    title: lineText(measured),
    isJustBegun: false,
    caption: captionText(measured),
  };
}
