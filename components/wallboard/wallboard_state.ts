import { mayBeUnderway } from "../connection/underway.ts";
import { signOfLifeMs, type UsersCounted } from "@/shared/wallboard.ts";

/**
 * The status of a wallboard's number: `connecting` before the first one arrived, `live` while they
 * arrive, `recovering` while users are still coming back after a start of the server, `stale` while the
 * server is partitioned from the other servers, `offline` while the device is, `reconnecting` for the first
 * seconds after a loss, `outdated` after that, `revoked` once the link has been revoked.
 */
export type WallboardStatus =
  | "connecting"
  | "live"
  | "recovering"
  | "stale"
  | "reconnecting"
  | "offline"
  | "outdated"
  | "revoked";

/** The state of a wallboard. Times are in milliseconds since 1970, by the page's clock. */
export interface WallboardView {
  readonly status: WallboardStatus;
  /** The last count; its time is by the server's clock. */
  readonly counted: UsersCounted;
  /** When it was received. */
  readonly receivedAt: number;
  /** When `status` last changed. */
  readonly since: number;
}

/** An event of a wallboard. */
export type WallboardEvent =
  /** A count arrived. */
  | { type: "counted"; counted: UsersCounted; at: number }
  /** The server does not answer, though the connection is open. */
  | { type: "silent"; at: number }
  /** The device lost its network, or has one again. */
  | { type: "offline"; at: number }
  | { type: "online"; at: number }
  /** The connection or the subscription was lost and is being restored. */
  | { type: "dropped"; at: number }
  /** The link has been revoked. */
  | { type: "revoked"; at: number }
  /** Time passed. */
  | { type: "tick"; at: number };

/** A connection without two signs of life in a row is not live, even if it is open. In milliseconds. */
export const wallboardSilenceMs = 2 * signOfLifeMs + 2_000;

/** How long connecting may take before the number counts as outdated, in milliseconds. */
const connectingMs = 10_000;

/** The state of a new wallboard, with the number in the HTML. */
export function initialWallboard(counted: UsersCounted, at: number): WallboardView {
  return { status: "connecting", counted, receivedAt: at, since: at };
}

/** The state after an event; the same object when nothing changed. Pure. */
export function reduceWallboard(before: WallboardView, event: WallboardEvent): WallboardView {
  if (before.status === "revoked") return before;
  switch (event.type) {
    case "counted": {
      const { counted, at } = event;
      const isUnderway = before.status === "offline" && mayBeUnderway(before.since, at);
      const status = isUnderway ? "offline" : counted.freshness.state;
      return enter({ ...before, counted, receivedAt: at }, status, at);
    }
    case "offline":
      return enter(before, "offline", event.at);
    case "online":
      return before.status === "offline" ? enter(before, "reconnecting", event.at) : before;
    case "silent":
    case "dropped":
      return isCurrent(before.status) ? enter(before, "reconnecting", event.at) : before;
    case "revoked":
      return enter(before, "revoked", event.at);
    case "tick":
      return isOverdue(before, event.at) ? enter(before, "outdated", event.at) : before;
  }
}

/** Whether a status says that what is shown is what the server knows now. */
export function isCurrent(status: WallboardStatus): boolean {
  return status === "live" || status === "recovering" || status === "stale";
}

function enter(view: WallboardView, status: WallboardStatus, at: number): WallboardView {
  return { ...view, status, since: view.status === status ? view.since : at };
}

function isOverdue({ status, receivedAt, since }: WallboardView, at: number): boolean {
  if (isCurrent(status)) return at - receivedAt > wallboardSilenceMs;
  return status !== "outdated" && status !== "offline" && at - since > connectingMs;
}
