/**
 * The status of the number: `connecting` before the first list, `live` while events arrive,
 * `reconnecting` for the first seconds after a loss, `stale` after that, `refused` when the server
 * refused for good.
 */
export type Status = "connecting" | "live" | "reconnecting" | "stale" | "refused";

/** The users online, by id, as every page knows them. */
export interface Presence {
  readonly status: Status;
  /** Why the server refused, as a sentence; empty unless `status` is `refused`. */
  readonly reason: string;
  /** The ids of the users online at the last update; `null` before the first list. */
  readonly members: ReadonlySet<string> | null;
  /** When the list was last up to date, in milliseconds since 1970; `null` before the first. */
  readonly asOf: number | null;
  /** Whether the list arrived over the connection that is open now. */
  readonly joined: boolean;
  /** When `status` last changed, in milliseconds since 1970. */
  readonly since: number;
}

/** An event of the presence; `at` is in milliseconds since 1970. */
export type PresenceEvent =
  /** The users online: after a successful subscription, a join, a leave. */
  | { type: "here"; ids: string[]; at: number }
  /** A frame arrived: what is known is still true. */
  | { type: "received"; at: number }
  /** The connection or the subscription was lost and is being restored. */
  | { type: "dropped"; at: number }
  /** The connection ended for good; `reason` is a sentence for the reader. */
  | { type: "refused"; reason: string; at: number }
  /** Time passed. */
  | { type: "tick"; at: number };

/** How long a lost connection counts as `reconnecting`, in milliseconds. */
export const reconnectingMs = 10_000;

/**
 * How long a live connection may be silent before the number counts as stale, in milliseconds. The
 * client sends a ping well before.
 */
export const silenceMs = 45_000;

/** The state of a new page. */
export function initialPresence(at: number): Presence {
  return { status: "connecting", reason: "", members: null, asOf: null, joined: false, since: at };
}

/**
 * The state after an event; the same object when nothing changed. Pure.
 *
 * A list replaces the one before, and counts ids: a repeated event cannot change the count.
 */
export function reducePresence(before: Presence, event: PresenceEvent): Presence {
  switch (event.type) {
    case "here":
      return live({ ...before, members: new Set(event.ids), joined: true }, event.at);
    case "received":
      return before.joined ? live(before, event.at) : before;
    case "dropped":
      return enter({ ...before, joined: false }, statusAfterDrop(before), event.at);
    case "refused":
      return enter({ ...before, joined: false }, "refused", event.at, event.reason);
    case "tick":
      return isOverdue(before, event.at) ? enter(before, "stale", event.at) : before;
  }
}

/** The number of users online at the last update; `null` before the first list. */
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
