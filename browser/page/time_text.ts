/** Where the reader is. The server does not know: it writes English, and UTC, which is then said. */
export interface Place {
  /** `undefined`: the browser's own. */
  locale: string | undefined;
  zone: "UTC" | "local";
}

/** What the server writes. */
export const serverPlace: Place = { locale: "en", zone: "UTC" };

/** What the reader's browser writes. */
export const readersPlace: Place = { locale: undefined, zone: "local" };

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/** How long ago, such as `3 min`; from a day on the date and time. */
export function agoText(at: number, now: number, place: Place): string {
  const age = Math.max(0, now - at);
  if (age < minute) return `< ${inUnit(1, "minute", place)}`;
  if (age < hour) return inUnit(Math.floor(age / minute), "minute", place);
  if (age < day) return inUnit(Math.floor(age / hour), "hour", place);
  const form = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" } as const;
  return dateText(at, form, place);
}

/** The exact date and time. */
export function exactText(at: number, place: Place): string {
  return dateText(at, { dateStyle: "medium", timeStyle: "medium" }, place);
}

function inUnit(count: number, unit: "minute" | "hour", { locale }: Place): string {
  const form = { style: "unit", unit, unitDisplay: "short" } as const;
  return kept(`${locale} ${unit}`, () => new Intl.NumberFormat(locale, form)).format(count);
}

/** A date or time in any form; UTC is said. */
export function dateText(
  at: number,
  form: Intl.DateTimeFormatOptions,
  { locale, zone }: Place,
): string {
  const timeZone = zone === "UTC" ? "UTC" : undefined;
  const make = () => new Intl.DateTimeFormat(locale, { ...form, timeZone });
  const words = kept(`${locale} ${zone} ${JSON.stringify(form)}`, make).format(at);
  return zone === "UTC" ? `${words} UTC` : words;
}

/** Formats are slow to make and few. */
const formats = new Map<string, unknown>();

function kept<Format>(name: string, make: () => Format): Format {
  if (!formats.has(name)) formats.set(name, make());
  return formats.get(name) as Format;
}
