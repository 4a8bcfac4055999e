import { countText, numberText } from "../../shared/number_text.ts";
import type { Recovery } from "../../shared/recovery.ts";
import type { Presence, Status } from "./presence.ts";

/** The badge for each status. */
export const statusText: Record<Status, string> = {
  connecting: "Connecting…",
  live: "Live",
  recovering: "Recovering",
  reconnecting: "Reconnecting…",
  offline: "You're offline",
  stale: "Out of date",
  refused: "Disconnected",
};

/**
 * `user online`, `users online, including you`; the caller writes the number.
 *
 * @param includesViewer `undefined` where it is not known, or not of interest.
 */
export function unitText(count: number, includesViewer?: boolean): string {
  const unit = `${count === 1 ? "user" : "users"} online`;
  if (includesViewer === undefined) return unit;
  return `${unit}, ${includesViewer ? "including" : "not including"} you`;
}

/** How far a recovery is: `11 of about 56 back`. */
export function recoveryText(count: number, { expected }: Pick<Recovery, "expected">): string {
  return `${numberText(count)} of about ${numberText(expected)} back`;
}

/** The text alternative of the chart. */
export function chartText(count: number | null, status: Status): string {
  if (count === null) return "Bar chart: number of users online. Waiting for data.";
  return `Bar chart: ${countText(count, "user")} online.${doubtText(status)}`;
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

function doubtText(status: Status): string {
  if (status === "live") return "";
  if (status === "recovering") return " Users are still coming back after a restart.";
  return " This number may be out of date.";
}

/** What a screen reader announces after a change of the number or the status. */
export function announcement(count: number | null, presence: Presence): string {
  if (presence.status === "connecting" || count === null) return "";
  const number = `${countText(count, "user")} online`;
  if (presence.status === "live") return number;
  const status = statusText[presence.status].replace("…", "");
  if (presence.status === "recovering" && presence.recovery) {
    return `${status}. ${recoveryText(count, presence.recovery)}`;
  }
  return `${status}. ${number} at last update. ${presence.reason}`.trim();
}
