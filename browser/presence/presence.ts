/**
 * How far the number can be trusted: `connecting` before the first list came, `live` while events
 * arrive, `reconnecting` for the first seconds after a drop, `stale` after that, `refused` when the
 * server said no and asking again would not help.
 */
export type Status = "connecting" | "live" | "reconnecting" | "stale" | "refused";

/** What a page knows of who is online. */
export interface Presence {
  readonly status: Status;
  /** Why the server refused; empty unless `status` is `refused`. */
  readonly reason: string;
  /** The ids of the users online as last heard; `null` before the first list. */
  readonly members: ReadonlySet<string> | null;
  /** When the list was last known to be true, in milliseconds since 1970; `null` before the first. */
  readonly asOf: number | null;
  /** Whether the list came over the connection that is open now. */
  readonly joined: boolean;
  /** When `status` last changed, in milliseconds since 1970. */
  readonly since: number;
}

/** What can happen to it; `at` is in milliseconds since 1970. */
export type PresenceEvent =
  /** Who is online now: after a subscription's success, a join, a leave. */
  | { type: "here"; ids: string[]; at: number }
  /** A frame arrived: what was true is still true. */
  | { type: "heard"; at: number }
  /** The connection or the subscription was lost and is being made again. */
  | { type: "dropped"; at: number }
  /** Nothing will be true again until somebody acts: `reason` says why. */
  | { type: "refused"; reason: string; at: number }
  /** The clock moved on. */
  | { type: "tick"; at: number };

/** How long a lost connection counts as `reconnecting`, in milliseconds. */
export const reconnectingMs = 10_000;

/**
 * How long a live connection may be silent before the number counts as stale, in milliseconds. The
 * client asks for a sign of life well before.
 */
export const silenceMs = 45_000;

/** Where a page starts: nothing heard yet. */
export function initialPresence(at: number): Presence {
  return { status: "connecting", reason: "", members: null, asOf: null, joined: false, since: at };
}

/**
 * What is known after an event. Pure. Returns the same object when nothing changed.
 *
 * A list replaces the one before, and goes by id: a doubled event cannot skew the count.
 */
export function reducePresence(before: Presence, event: PresenceEvent): Presence {
  switch (event.type) {
    case "here":
      return live({ ...before, members: new Set(event.ids), joined: true }, event.at);
    case "heard":
      return before.joined ? live(before, event.at) : before;
    case "dropped":
      return enter({ ...before, joined: false }, statusAfterDrop(before), event.at);
    case "refused":
      return enter({ ...before, joined: false }, "refused", event.at, event.reason);
    case "tick":
      return isOverdue(before, event.at) ? enter(before, "stale", event.at) : before;
  }
}

/** How many users are online as last heard; `null` before the first list. */
export function countOf(presence: Presence): number | null {
  return presence.members?.size ?? null;
}

function live(presence: Presence, at: number): Presence {
  return enter({ ...presence, asOf: at }, "live", at);
}

function enter(presence: Presence, status: Status, at: number, reason = ""): Presence {
  const since = presence.status === status ? presence.since : at;
  return { ...presence, status, reason, since };
}

function statusAfterDrop(before: Presence): Status {
  if (before.status === "stale") return "stale";
  return before.members === null ? "connecting" : "reconnecting";
}

function isOverdue({ status, since, asOf }: Presence, at: number): boolean {
  if (status === "live") return at - (asOf ?? since) > silenceMs;
  return (status === "connecting" || status === "reconnecting") && at - since > reconnectingMs;
}
