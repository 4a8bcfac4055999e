import { numberText } from "@/shared/text.ts";
import type { Recovery } from "@/shared/recovery.ts";
import type { Status } from "./presence.ts";
import { text } from "@/shared/language.ts";

/** The badge of a status. */
export function statusText(status: Status): string {
  return {
    connecting: text`Connecting…`,
    live: text`Live`,
    recovering: text`Recovering`,
    stale: text`Not updating`,
    reconnecting: text`Reconnecting…`,
    offline: text`You're offline`,
    outdated: text`Out of date`,
    refused: text`Disconnected`,
  }[status];
}

/** How far a recovery is: `11 of about 56 back`. */
export function recoveryText(count: number, { expected }: Pick<Recovery, "expected">): string {
  return text`${numberText(count)} of about ${numberText(expected)} back`;
}

/**
 * What a page says that is out of date for long.
 *
 * @param since the time of the last update; `null` when there was none.
 */
export function bannerText(status: Status, since: string | null): string {
  const cause = status === "offline" ? text`You're offline.` : text`Can't reach the server.`;
  return since === null ? cause : text`${cause} What you see is from ${since}.`;
}
