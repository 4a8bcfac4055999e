import type { DatabaseOutage, Health } from "@/shared/health.ts";
import { numberText } from "@/shared/number_text.ts";

const [minuteSeconds, hourSeconds, daySeconds] = [60, 3_600, 86_400];

/** How long a server has run, in its two largest units: `3 d 4 h`. */
export function uptimeText(seconds: number): string {
  const parts = [
    [Math.floor(seconds / daySeconds), "d"],
    [Math.floor(seconds % daySeconds / hourSeconds), "h"],
    [Math.floor(seconds % hourSeconds / minuteSeconds), "min"],
    [Math.floor(seconds % minuteSeconds), "s"],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return "0 s";
  return parts.slice(first, first + 2).map(([count, unit]) => `${numberText(count)} ${unit}`)
    .join(" ");
}

/** Messages per second; a dash before the first measurement. */
export function rateText(perSecond: number | null): string {
  if (perSecond === null) return "–";
  return numberText(perSecond < 10 ? perSecond : Math.round(perSecond));
}

/** In MB of a million bytes. */
export function memoryText(bytes: number): string {
  return `${numberText(Math.round(bytes / 1_000_000))} MB`;
}

/** How often limits were exceeded, all limits together. */
export function refusalCount({ refusals }: Pick<Health, "refusals">): number {
  return Object.values(refusals).reduce((sum, count) => sum + count, 0);
}

/** What to do about some limits. */
const remedies: Record<string, string> = {
  connectionsOfAddress: ": behind a proxy, set TRUSTED_PROXIES; otherwise raise " +
    "MAX_CONNECTIONS_PER_ADDRESS",
};

/** The name of a limit: `connectionsOfApp` is `connections per app`; and for some what to do about it. */
export function limitText(name: string): string {
  return wordsOf(name) + (remedies[name] ?? "");
}

function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(" of ", " per ");
}

/** What is wrong with the database, as a sentence. */
export function outageText({ isReadable, reason }: DatabaseOutage): string {
  return `The database ${isReadable ? "cannot be written" : "is unavailable"}: ${reason}.`;
}
