import { countText } from "@/shared/number_text.ts";
import type { Presence, Status } from "./presence.ts";
import { recoveryText, statusText } from "./presence_text.ts";

/** The text alternative of the chart. */
export function chartText(count: number | null, status: Status): string {
  if (count === null) return "Bar chart: number of users online. Waiting for data.";
  return `Bar chart: ${countText(count, "user")} online.${doubtText(status)}`;
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
