import { isSameDay, serverStyle, timeText } from "./time_text.ts";

/** A date and time: in UTC as the server writes it, in the reader's own zone once script runs. */
export function Time({ at, after }: {
  /** In milliseconds since 1970. */
  at: number;
  /** In a log: the time of the line before, on whose day the date is not repeated; null in the first line. */
  after?: number | null;
}) {
  const iso = new Date(at).toISOString();
  const isLater = typeof after === "number" && isSameDay(at, after, serverStyle);
  return (
    <time dateTime={iso} data-local={after === undefined ? "" : "log"}>
      {timeText(at, isLater ? "clock" : "exact", serverStyle)}
    </time>
  );
}
