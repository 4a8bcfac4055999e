import { type TimeStyle, timeText } from "../page/time_text.ts";

/** After this long, a time of day is not clear without its date; in milliseconds. */
const datedMs = 12 * 3_600_000;

/** Since when numbers stand still. @param at in milliseconds since 1970 */
export function StandingSince({ at, style }: { at: number; style: TimeStyle }) {
  const form = Date.now() - at < datedMs ? "clock" : "exact";
  return <time dateTime={new Date(at).toISOString()}>{timeText(at, form, style)}</time>;
}
