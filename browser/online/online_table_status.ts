import type { Online } from "./online.ts";
import { type Presence, reconnectingMs } from "../presence/presence.ts";

/** How far a list can be trusted. */
export type Trusted = Pick<Presence, "status" | "asOf">;

/**
 * How far the list of names can be trusted: as far as the number, and while that is live, as far as
 * the list keeps up with it.
 *
 * @param now in milliseconds since 1970.
 */
export function onlineTableStatus(presence: Presence, online: Online, now: number): Trusted {
  if (online.state === "refused") return { status: "refused", asOf: online.trueAt };
  if (presence.status !== "live" || online.state === "following") return presence;
  if (online.trueAt === null) return { status: "connecting", asOf: null };
  const isOverdue = now - online.trueAt > reconnectingMs;
  return { status: isOverdue ? "stale" : "reconnecting", asOf: online.trueAt };
}
