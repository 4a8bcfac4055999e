import type { TimeForm } from "./time_text.ts";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun"].concat(
  ["Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
);
const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/**
 * A date or time in UTC with a 24-hour clock, as `Intl.DateTimeFormat` writes it in English. What a page
 * shows first is written so: the first use of `Intl` takes a browser 30 ms, before the number is live.
 *
 * @param at in milliseconds since 1970.
 */
export function utcText(at: number, form: TimeForm): string {
  const time = new Date(at);
  const clock = time.toISOString().slice(11, 19);
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
  const minute = clock.slice(0, 5);
  const date = `${months[month]} ${day}`;
  switch (form) {
    case "exact":
      return `${date}, ${year}, ${clock}`;
    case "clock":
      return clock;
    case "minute":
      return minute;
    case "date":
      return date;
    case "day":
      return `${month + 1}/${day}/${String(year).slice(-2)}`;
    case "dateAndMinute":
      return `${date}, ${minute}`;
    case "weekdayAndMinute":
      return `${weekdays[time.getUTCDay()]} ${minute}`;
  }
}
