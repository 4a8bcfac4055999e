import type { DatabaseOutage, Health, ServersView } from "@/shared/servers.ts";
import { numberText } from "@/shared/text.ts";
import { useEffect, useState } from "react";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { onlineFeed, useOnline } from "../live_view/online_feed.ts";
import { text } from "@/shared/language.ts";

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

/** What is wrong with the database, as a sentence. */
export function outageText({ isReadable, reason }: DatabaseOutage): string {
  return isReadable
    ? text`The database cannot be written: ${reason}.`
    : text`The database is unavailable: ${reason}.`;
}

/** The health of the server; renders the component after changes. @param first that in the HTML */
export function useHealth(settings: ClientSettings, first: Health): Health {
  const [health, setHealth] = useState(first);
  // Connects the feed.
  useOnline(settings);
  useEffect(() => onlineFeed(settings).listen<Health>("HealthMeasured", setHealth), []);
  return health;
}

/** How many servers answer: `2 of 3 servers`. */
export function serversText({ alive, known }: Pick<ServersView, "alive" | "known">): string {
  return known === 1
    ? text`${numberText(alive)} of ${numberText(known)} server`
    : text`${numberText(alive)} of ${numberText(known)} servers`;
}

/** Whether a server is missing, as far as a server knows that gets their reports. */
export function isServerMissing({ alive, known, staleSince }: ServersView): boolean {
  return alive < known && staleSince === null;
}

/** How long ago a server reported, in seconds up to two minutes: `2 s ago`. */
export function reportedText(lastHeartbeatAt: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - lastHeartbeatAt) / 1_000));
  if (seconds < 1) return text`now`;
  return seconds < 120 ? text`${seconds} s ago` : text`${Math.floor(seconds / 60)} min ago`;
}
