import { serverStyle, timeText } from "../../browser/format/time_text.ts";

/** A date and time: in UTC as the server writes it, in the reader's own zone once script runs. */
export function Time({ at }: {
  /** In milliseconds since 1970. */
  at: number;
}) {
  const iso = new Date(at).toISOString();
  return <time dateTime={iso} data-local>{timeText(at, "exact", serverStyle)}</time>;
}
