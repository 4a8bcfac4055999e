import { isCurrent, type Status } from "../presence/presence.ts";

/**
 * Whether a line is drawn as one that is up to date: the one in the HTML is until the page is connected.
 *
 * @param isBehind whether the last request of the history failed.
 */
export function isUpToDate(status: Status, isBehind: boolean): boolean {
  return !isBehind && (isCurrent(status) || status === "connecting");
}
