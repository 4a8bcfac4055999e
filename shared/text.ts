import { plural, reader, text } from "./language.ts";

/**
 * A number from 0 on as every page writes it: `999`, `12,345`, `0.5`. At most one digit follows the point. Written
 * in English without `Intl`, whose first use takes a browser 30 ms, before the number is live.
 */
export function numberText(number: number): string {
  return reader.language?.number(number) ?? englishNumber(number);
}

function englishNumber(number: number): string {
  const [whole, fraction] = (Math.round(number * 10) / 10).toFixed(1).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === "0" ? grouped : `${grouped}.${fraction}`;
}

/** Weekdays in a text, Sunday first, as dates count them. */
export const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** A number with its noun: `1 tab`, `12,345 tabs`. */
export function countText(count: number, one: string, many?: string): string {
  return `${numberText(count)} ${plural(count, one, many)}`;
}

/** Users and guests apart, of all who are online: `31 users, 204 guests`; empty when no one is a guest. */
export function apartText(all: number, guests?: number): string {
  if (!guests) return "";
  // The two numbers can be of different moments.
  return `${countText(Math.max(all - guests, 0), "user")}, ${countText(guests, "guest")}`;
}

/** The number of all who are online, with users and guests apart: `235 (31 users, 204 guests)`, or `31`. */
export function withGuestsText(all: number, guests?: number, unit = ""): string {
  return numberText(all) + unit + (guests ? ` (${apartText(all, guests)})` : "");
}

/** The unit of all who are online: no sum of users and guests is called users. */
export function onlineUnit(all: number, guests?: number): string {
  return guests ? text`online` : plural(all, "user online", "users online");
}

/** All who are online, with their unit: `31 users online`, or `235 online (31 users, 204 guests)`. */
export function onlineText(all: number, guests?: number): string {
  return withGuestsText(all, guests, " " + onlineUnit(all, guests));
}

/**
 * Browsers by what their description contains. Most name others too, to be taken for them, so the order
 * counts. The app of a device's maker comes before Chrome, which it contains.
 */
const browsers: readonly [name: string, pattern: RegExp][] = [
  ["Edge", /\bEdg(A|iOS)?\//],
  ["Opera", /\b(OPR|OPT|Opera)\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bVersion\/\S+ .*Safari\//],
];

/** Systems; Android names Linux, iPhones name Mac OS X. */
const systems: readonly [name: string, pattern: RegExp][] = [
  ["iPhone", /\b(iPhone|iPod)\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["macOS", /\bMac(intosh| OS X)\b/],
  ["Linux", /\bLinux\b/],
];

/** The browser and the system of a `User-Agent`, in the reader's language, such as `Firefox on Windows`. */
export function clientText(userAgent: string): string {
  const browser = nameIn(browsers, userAgent);
  const system = nameIn(systems, userAgent);
  if (browser && system) return text`${browser} on ${system}`;
  return browser ?? (system ? text`Unknown browser on ${system}` : text`Unknown browser`);
}

function nameIn(known: readonly [string, RegExp][], userAgent: string): string | undefined {
  return known.find(([, pattern]) => pattern.test(userAgent))?.[0];
}

/** A text with what HTML and XML give a meaning to replaced, for contents and attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
