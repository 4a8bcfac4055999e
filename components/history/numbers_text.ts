import { numberText } from "@/shared/text.ts";
import { timeForms } from "../page/time_text.ts";

const day = new Intl.DateTimeFormat("en", { ...timeForms.date, weekday: "short", timeZone: "UTC" });
const dayOfYear = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });

/** A date such as `2026-03-29` as `Sun, Mar 29`, or with its year as `Mar 29, 2026`. */
export function dateText(date: string, hasYear = false): string {
  return (hasYear ? dayOfYear : day).format(Date.parse(date));
}

/** The time of day in a time zone, such as `17:45`. */
export function clockTextIn(at: number, timeZone: string): string {
  const parts = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  return new Intl.DateTimeFormat("en", { ...parts, timeZone }).format(at);
}

/** An average, with a digit after the point below a hundred. */
export function averageText(average: number): string {
  return average < 100 ? average.toFixed(1) : numberText(Math.round(average));
}

/** A length such as `42 s`, `3:10` or `1 h 04`. */
export function lengthText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const two = (number: number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)}`;
}

/** How much of a day was recorded, such as `97%`; `all day` for all but moments. */
export function recordedText(
  { startsAt, endsAt, recordedSeconds }: {
    startsAt: number;
    endsAt: number;
    recordedSeconds: number;
  },
): string {
  const share = recordedSeconds * 1_000 / (endsAt - startsAt);
  if (share >= 0.995) return "all day";
  return share < 0.01 ? "under 1%" : `${Math.floor(share * 100)}%`;
}

/** A time in a time zone, such as `Nov 27, 17:45`. */
export function momentTextIn(at: number, timeZone: string): string {
  const date = new Intl.DateTimeFormat("en", { ...timeForms.date, timeZone }).format(at);
  return `${date}, ${clockTextIn(at, timeZone)}`;
}
