import { numberText, onlineText, onlineUnit } from "@/shared/text.ts";
import type { Presence, Status } from "./presence.ts";
import { recoveryText, statusText } from "./presence_text.ts";
import { text } from "@/shared/language.ts";

/**
 * `users online, including you`; with guests among them, whom another line tells apart, `online, including you`. The
 * caller writes the number.
 *
 * @param includesViewer `undefined` where it is not known.
 */
export function unitText(count: number, guests?: number, includesViewer?: boolean): string {
  const unit = onlineUnit(count, guests);
  return includesViewer === undefined
    ? unit
    : includesViewer
    ? text`${unit}, including you`
    : text`${unit}, not including you`;
}

/** The text alternative of the chart. */
export function chartText(
  count: number | null,
  guests: number | undefined,
  status: Status,
): string {
  if (count === null) return text`Bar chart: waiting for data.`;
  return [text`Bar chart: ${onlineText(count, guests)}.`, freshnessText(status)].join(" ").trim();
}

function freshnessText(status: Status): string {
  if (status === "live") return "";
  if (status === "recovering") return text`Recovering.`;
  return text`This number may be out of date.`;
}

/** What a screen reader announces after a change of the number or the status. */
export function announcement(
  count: number | null,
  guests: number | undefined,
  presence: Presence,
): string {
  if (presence.status === "connecting" || count === null) return "";
  const number = onlineText(count, guests);
  if (presence.status === "live") return number;
  const status = statusText(presence.status).replace("…", "");
  if (presence.status === "recovering" && presence.recovery) {
    return `${status}. ${recoveryText(count, presence.recovery)}`;
  }
  return `${status}. ${text`${number} at last update.`} ${presence.reason}`.trim();
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
