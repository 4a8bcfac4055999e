import { countText } from "../../shared/number_text.ts";
import type { Presence, Status } from "./presence.ts";

/** The badge for each status. */
export const statusText: Record<Status, string> = {
  connecting: "Connecting…",
  live: "Live",
  reconnecting: "Reconnecting…",
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

/** The text alternative of the chart. */
export function chartText(count: number | null, status: Status): string {
  if (count === null) return "Bar chart: number of users online. Waiting for data.";
  const doubt = status === "live" ? "" : " This number may be out of date.";
  return `Bar chart: ${countText(count, "user")} online.${doubt}`;
}

/** What a screen reader announces after a change of the number or the status. */
export function announcement(count: number | null, presence: Presence): string {
  if (presence.status === "connecting" || count === null) return "";
  const number = `${countText(count, "user")} online`;
  if (presence.status === "live") return number;
  const status = statusText[presence.status].replace("…", "");
  return `${status}. ${number} at last update. ${presence.reason}`.trim();
}
