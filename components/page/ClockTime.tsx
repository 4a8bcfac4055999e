import { type TimeStyle, timeText } from "./time_text.ts";

/** A time of day, as `12:44:44 PM`. @param at in milliseconds since 1970 */
export function ClockTime({ at, style }: { at: number; style: TimeStyle }) {
  return <time dateTime={new Date(at).toISOString()}>{timeText(at, "clock", style)}</time>;
}
