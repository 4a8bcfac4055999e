import { reader, text } from "@/shared/language.ts";
import { numberText } from "@/shared/text.ts";
import { timeForms } from "../page/time_text.ts";

/** Formats are slow to make, and there are few: by language and form. */
const formats = new Map<string, Intl.DateTimeFormat>();

const forms = {
  day: { ...timeForms.date, weekday: "short" },
  dayOfYear: { dateStyle: "medium" },
  weekday: { weekday: "short" },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

function written(at: number, form: keyof typeof forms): string {
  const tag = reader.language?.tag ?? "en";
  const name = `${tag} ${form}`;
  const known = formats.get(name);
  if (known) return known.format(at);
  const format = new Intl.DateTimeFormat(tag, { ...forms[form], timeZone: "UTC" });
  formats.set(name, format);
  return format.format(at);
}

/** A date such as `2026-03-29` as `Sun, Mar 29`, or with its year as `Mar 29, 2026`. */
export function dateText(date: string, hasYear = false): string {
  return written(Date.parse(date), hasYear ? "dayOfYear" : "day");
}

/** A Monday. */
const monday = Date.UTC(2026, 0, 5);

/** The names of the weekdays, Monday first, as short as `Mon`. */
export function weekdayNames(): string[] {
  return Array.from({ length: 7 }, (_, day) => written(monday + day * 86_400_000, "weekday"));
}

const tenths = new Map<string, Intl.NumberFormat>();

/** A number with a digit after the point, also where that is a zero: `4.0`. */
export function tenthsText(number: number): string {
  const tag = reader.language?.tag ?? "en";
  const format = tenths.get(tag) ??
    new Intl.NumberFormat(tag, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  tenths.set(tag, format);
  return format.format(number);
}

/** An average, with a digit after the point below a hundred. */
export function averageText(average: number): string {
  return average < 100 ? tenthsText(average) : numberText(Math.round(average));
}

/** A length such as `42 s`, `3:10` or `1 h 04`. */
export function lengthText(seconds: number): string {
  if (seconds < 60) return text`${seconds} s`;
  const two = (number: number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return text`${Math.floor(minutes / 60)} h ${two(minutes % 60)}`;
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
  if (share >= 0.995) return text`all day`;
  return share < 0.01 ? text`under 1%` : text`${Math.floor(share * 100)}%`;
}

/** The heads of the table of days. */
export function dayColumns(): string[] {
  return [
    text`Day`,
    text`Peak`,
    text`Average`,
    text`People`,
    text`Visits`,
    text`Median visit`,
    text`90% of visits up to`,
    text`Peak at`,
    text`Recorded`,
  ];
}

/** From how many weeks on an average is called usual. */
const enoughWeeks = 3;

/** What the averages are of. */
export function heatText(weeks: number): string {
  if (weeks >= enoughWeeks) {
    return text`Average of users and guests online by weekday and hour, over the last ${weeks} weeks.`;
  }
  return weeks === 1
    ? text`Average of users and guests online by weekday and hour. Only 1 week is recorded, so one unusual day still stands out.`
    : text`Average of users and guests online by weekday and hour. Only ${weeks} weeks are recorded, so one unusual day still stands out.`;
}
