import type { Online } from "../live_view/online.ts";
import { isCurrent, type Presence, reconnectingMs } from "../presence/presence.ts";

/** The status of the list, and when the list was last up to date. */
export type OnlineTableStatus = Pick<Presence, "status" | "asOf">;

/**
 * The status of the list of names: that of the number, and while the number is live, that of the list
 * itself.
 *
 * @param now in milliseconds since 1970.
 */
export function onlineTableStatus(
  presence: Presence,
  online: Online,
  now: number,
): OnlineTableStatus {
  if (online.state === "refused") return { status: "refused", asOf: online.trueAt };
  if (!isCurrent(presence.status) || online.state === "following") return presence;
  if (online.trueAt === null) return { status: "connecting", asOf: null };
  const isOverdue = now - online.trueAt > reconnectingMs;
  return { status: isOverdue ? "stale" : "reconnecting", asOf: online.trueAt };
}
