import type { Presence, Status } from "./presence.ts";

/** The badge's word for each status. */
export const statusText: Record<Status, string> = {
  connecting: "Connecting",
  live: "Live",
  reconnecting: "Reconnecting",
  stale: "Stale",
  refused: "Refused",
};

/** "1 user online", "12 users online, including you"; the number is left to the caller. */
export function unitText(count: number, includesViewer: boolean): string {
  return `${count === 1 ? "user" : "users"} online${includesViewer ? ", including you" : ""}`;
}

/** The text alternative of the chart. */
export function chartText(count: number | null, status: Status): string {
  if (count === null) return "Bar chart of the number of users online. Not known yet.";
  const trust = status === "live" ? "" : ` ${statusText[status]}: the number may be out of date.`;
  return `Bar chart with one bar. Online: ${count}.${trust}`;
}

/** What a screen reader is told when the number or the status changed. */
export function announcement(count: number | null, presence: Presence): string {
  if (presence.status === "connecting" || count === null) return "";
  const said = `${count} ${unitText(count, false)}`;
  if (presence.status === "live") return said;
  return `${statusText[presence.status]}. ${said} when last heard. ${presence.reason}`.trim();
}

/**
 * A time of day as the reader's browser writes it, or in UTC, which is then said: the server does not
 * know where the reader is.
 */
export function clockText(milliseconds: number, zone: "local" | "UTC"): string {
  const date = new Date(milliseconds);
  return zone === "UTC" ? `${date.toISOString().slice(11, 19)} UTC` : date.toLocaleTimeString();
}
