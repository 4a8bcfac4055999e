import { countText, numberText } from "@/shared/text.ts";
import type { Presence, Status } from "./presence.ts";
import { recoveryText, statusText } from "./presence_text.ts";

/** The text alternative of the chart. */
export function chartText(count: number | null, status: Status): string {
  if (count === null) return "Bar chart: number of users online. Waiting for data.";
  return `Bar chart: ${countText(count, "user")} online.${freshnessText(status)}`;
}

function freshnessText(status: Status): string {
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

/**
 * Shows a number in front of the page's title, for a reader who has another tab open, and turns the icon
 * grey while the number may be out of date.
 *
 * @param title of the page, without a number.
 */
export function showInTab(title: string, count: number | null, isLive: boolean): void {
  document.title = count === null ? title : `(${numberText(count)}) ${title}`;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!icon) return;
  const { dataset } = icon;
  dataset.live ??= icon.href;
  icon.href = (isLive ? dataset.live : dataset.quiet)!;
}
