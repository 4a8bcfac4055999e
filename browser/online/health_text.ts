import type { Place } from "../page/time_text.ts";
import type { Health } from "../../shared/health.ts";

const [minuteSeconds, hourSeconds, daySeconds] = [60, 3_600, 86_400];

/** For how long a server has run, in its two largest units: `3 d 4 h`. */
export function uptimeText(seconds: number): string {
  const parts = [
    [Math.floor(seconds / daySeconds), "d"],
    [Math.floor(seconds % daySeconds / hourSeconds), "h"],
    [Math.floor(seconds % hourSeconds / minuteSeconds), "min"],
    [Math.floor(seconds % minuteSeconds), "s"],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return "0 s";
  return parts.slice(first, first + 2).map(([count, unit]) => `${count} ${unit}`).join(" ");
}

/** How many messages a second; a dash before it was measured. */
export function rateText(perSecond: number | null, { locale }: Place): string {
  if (perSecond === null) return "–";
  const digits = perSecond < 10 ? 1 : 0;
  return perSecond.toLocaleString(locale, { maximumFractionDigits: digits });
}

/** In MB of a million bytes. */
export function memoryText(bytes: number, { locale }: Place): string {
  return `${Math.round(bytes / 1_000_000).toLocaleString(locale)} MB`;
}

/** How often any limit was passed. */
export function refusalCount({ refusals }: Pick<Health, "refusals">): number {
  return Object.values(refusals).reduce((sum, count) => sum + count, 0);
}

/** What a limit is called: `connectionsOfApp` is `connections of app`. */
export function limitText(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
