import { signOfLifeMs, type UsersCounted } from "../../shared/wallboard.ts";

/**
 * How far a wallboard's number can be trusted: `connecting` before the first one came over the
 * connection, `live` while they come, `reconnecting` for the first seconds after a drop, `stale` after
 * that, `revoked` once the link is no good any more.
 */
export type WallboardStatus = "connecting" | "live" | "reconnecting" | "stale" | "revoked";

/** What a wallboard shows. Times are in milliseconds since 1970, by the page's clock. */
export interface WallboardView {
  readonly status: WallboardStatus;
  /** What was last counted; its time is by the server's clock. */
  readonly counted: UsersCounted;
  /** When that was heard. */
  readonly heardAt: number;
  /** When `status` last changed. */
  readonly since: number;
}

/** What can happen to it. */
export type WallboardEvent =
  /** A number came. */
  | { type: "counted"; counted: UsersCounted; at: number }
  /** The connection or the subscription was lost and is being made again. */
  | { type: "dropped"; at: number }
  /** The link is no good any more. */
  | { type: "revoked"; at: number }
  /** The clock moved on. */
  | { type: "tick"; at: number };

/** A connection that is silent for two signs of life is not live, whatever it says of itself. */
export const wallboardSilenceMs = 2 * signOfLifeMs + 2_000;

/** How long it may take to connect, in milliseconds, before the number counts as stale. */
const connectingMs = 10_000;

/** Where a wallboard starts: with the number that the server drew. */
export function initialWallboard(counted: UsersCounted, at: number): WallboardView {
  return { status: "connecting", counted, heardAt: at, since: at };
}

/** What is shown after an event. Pure. Returns the same object when nothing changed. */
export function reduceWallboard(before: WallboardView, event: WallboardEvent): WallboardView {
  if (before.status === "revoked") return before;
  switch (event.type) {
    case "counted": {
      const { counted, at } = event;
      return enter({ ...before, counted, heardAt: at }, "live", at);
    }
    case "dropped":
      return before.status === "live" ? enter(before, "reconnecting", event.at) : before;
    case "revoked":
      return enter(before, "revoked", event.at);
    case "tick":
      return isOverdue(before, event.at) ? enter(before, "stale", event.at) : before;
  }
}

function enter(view: WallboardView, status: WallboardStatus, at: number): WallboardView {
  return { ...view, status, since: view.status === status ? view.since : at };
}

function isOverdue({ status, heardAt, since }: WallboardView, at: number): boolean {
  if (status === "live") return at - heardAt > wallboardSilenceMs;
  return status !== "stale" && at - since > connectingMs;
}
