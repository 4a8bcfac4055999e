import { countText, numberText } from "@/shared/number_text.ts";
import type { ServersView } from "@/shared/servers.ts";

/** How many servers answer: `2 of 3 servers`. */
export function serversText({ alive, known }: Pick<ServersView, "alive" | "known">): string {
  return `${numberText(alive)} of ${countText(known, "server")}`;
}

/** Whether a server is missing, as far as a server knows that gets their reports. */
export function isServerMissing({ alive, known, standsStillSince }: ServersView): boolean {
  return alive < known && standsStillSince === null;
}

/** How long ago a server reported, in seconds up to two minutes: `2 s ago`. */
export function reportedText(lastBeatAt: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - lastBeatAt) / 1_000));
  if (seconds < 1) return "now";
  return seconds < 120 ? `${seconds} s ago` : `${Math.floor(seconds / 60)} min ago`;
}
