import { reader, text } from "@/shared/language.ts";
import { useEffect, useState } from "preact/hooks";
import { countText } from "@/shared/text.ts";
import { firstNumber } from "./first_number.ts";

/**
 * A date or time in UTC with a 24-hour clock, as `Intl.DateTimeFormat` writes it in English. What a page
 * shows first is written so: the first use of `Intl` takes a browser 30 ms, before the number is live.
 *
 * @param at in milliseconds since 1970.
 */
export function utcText(at: number, form: TimeForm): string {
  // Its form is part of JavaScript: `Mon, 05 Jan 2026 12:44:44 GMT`.
  const time = new Date(at);
  const [weekday, dayOfMonth, month, year, clock] = time.toUTCString().split(/,? /);
  const minute = clock.slice(0, 5);
  const day = Number(dayOfMonth);
  const date = `${month} ${day}`;
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
      return `${time.getUTCMonth() + 1}/${day}/${year.slice(-2)}`;
    case "dateAndMinute":
      return `${date}, ${minute}`;
    case "weekdayAndMinute":
      return `${weekday} ${minute}`;
  }
}

/** How times are written: in the language of the page, in a zone, with a clock of 12 or of 24 hours. */
export interface TimeStyle {
  /** `UTC`, `local`, or the name of the zone that a page says its times are in. */
  zone: string;
  clock: "h12" | "h23";
}

/** What the server writes, which does not know the reader's zone: UTC, named in the text. */
export const serverStyle: TimeStyle = { zone: "UTC", clock: "h23" };

/** The reader's own zone, and the clock that the locale of the reader's browser has. */
export const readerStyle: TimeStyle = {
  zone: "local",
  // Read at its first use, because `Intl` is slow to start.
  get clock() {
    return readersClock ??= clockOf(undefined);
  },
};

let readersClock: TimeStyle["clock"] | undefined;

/** The clock that a locale has; `undefined` for the browser's own. */
export function clockOf(locale: string | undefined): TimeStyle["clock"] {
  const { hourCycle } = new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions();
  return hourCycle === "h11" || hourCycle === "h12" ? "h12" : "h23";
}

/**
 * The reader's style; until the number is live the server's, so that the HTML needs no repair, and the
 * number does not wait.
 */
export function useTimeStyle(): TimeStyle {
  const [style, setStyle] = useState(serverStyle);
  useEffect(() => {
    let unmounted = false;
    firstNumber.shown().then(() => unmounted || setStyle(readerStyle));
    return () => {
      unmounted = true;
    };
  }, []);
  return style;
}

/** The forms that a time can have. */
export const timeForms = {
  /** `Jan 5, 2026, 12:44:44 PM` */
  exact: { dateStyle: "medium", timeStyle: "medium" },
  /** `12:44:44 PM` */
  clock: { timeStyle: "medium" },
  /** `12:44 PM` */
  minute: { timeStyle: "short" },
  /** `Jan 5` */
  date: { month: "short", day: "numeric" },
  /** `1/5/26`, to compare days */
  day: { dateStyle: "short" },
  /** `Jan 5, 12:44 PM` */
  dateAndMinute: { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" },
  /** `Mon 12:44 PM` */
  weekdayAndMinute: { weekday: "short", hour: "numeric", minute: "2-digit" },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

/** The name of a form in which a time is written. */
export type TimeForm = keyof typeof timeForms;

/**
 * A date or time as every page writes it. `UTC` is named, as in `12:44:44 UTC`.
 *
 * @param at in milliseconds since 1970.
 */
export function timeText(at: number, form: TimeForm, style: TimeStyle): string {
  const { zone, clock } = style;
  if (zone === "UTC" && clock === "h23" && !reader.language) return `${utcText(at, form)} UTC`;
  const text = formatOf(form, style).format(at);
  return zone === "UTC" ? `${text} UTC` : text;
}

/** Formats are slow to make, and there are few. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(form: TimeForm, { zone, clock }: TimeStyle): Intl.DateTimeFormat {
  const tag = reader.language?.tag ?? "en";
  const name = `${form} ${zone} ${clock} ${tag}`;
  const cached = formats.get(name);
  if (cached) return cached;
  const timeZone = zone === "local" ? undefined : zone;
  const format = new Intl.DateTimeFormat(tag, { ...timeForms[form], hourCycle: clock, timeZone });
  formats.set(name, format);
  return format;
}

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/** A length of time in its largest unit, such as `3 min`; in milliseconds. */
export function durationText(length: number): string {
  if (length < minute) return text`under a minute`;
  if (length < hour) return text`${Math.floor(length / minute)} min`;
  if (length < day) return text`${Math.floor(length / hour)} hr`;
  return countText(Math.floor(length / day), "day");
}

/** How long ago a time was, such as `3 min ago`; after a day the date and time. */
export function agoText(at: number, now: number, style: TimeStyle): string {
  const age = Math.max(0, now - at);
  if (age < minute) return text`just now`;
  return age < day ? text`${durationText(age)} ago` : timeText(at, "dateAndMinute", style);
}

/** Whether two times are on the same day of the style's zone. */
export function isSameDay(one: number, other: number, style: TimeStyle): boolean {
  return timeText(one, "day", style) === timeText(other, "day", style);
}
