import { isSameDay, type TimeStyle, timeText } from "../page/time_text.ts";

/** A time on a person's page: without the date where it is of the day on which it is read. */
export function PersonTime({ at, now, style }: {
  /** In milliseconds since 1970. */
  at: number;
  /** When it is read. */
  now: number;
  style: TimeStyle;
}) {
  return (
    <time dateTime={new Date(at).toISOString()} title={timeText(at, "exact", style)}>
      {timeText(at, isSameDay(at, now, style) ? "clock" : "dateAndMinute", style)}
    </time>
  );
}
