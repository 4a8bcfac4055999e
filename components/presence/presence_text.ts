import { numberText } from "@/shared/text.ts";
import type { Recovery } from "@/shared/recovery.ts";
import type { Status } from "./presence.ts";

/** The badge for each status. */
export const statusText: Record<Status, string> = {
  connecting: "Connecting…",
  live: "Live",
  recovering: "Recovering",
  stale: "Not updating",
  reconnecting: "Reconnecting…",
  offline: "You're offline",
  outdated: "Out of date",
  refused: "Disconnected",
};

/** How far a recovery is: `11 of about 56 back`. */
export function recoveryText(count: number, { expected }: Pick<Recovery, "expected">): string {
  return `${numberText(count)} of about ${numberText(expected)} back`;
}

/**
 * What a page says that is out of date for long.
 *
 * @param since the time of the last update; `null` when there was none.
 */
export function bannerText(status: Status, since: string | null): string {
  const cause = status === "offline" ? "You're offline." : "Can't reach the server.";
  return since === null ? cause : `${cause} What you see is from ${since}.`;
}
