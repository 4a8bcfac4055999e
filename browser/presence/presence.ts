import { mayBeUnderway } from "../connection/underway.ts";
import { continueRecovery, type Recovery } from "../../shared/recovery.ts";

/**
 * The status of the number: `connecting` before the first list, `live` while events arrive, `recovering`
 * while they arrive and users are still coming back after a start of the server, `reconnecting` for the
 * first seconds after a loss, `offline` while the device is, `stale` after that, `refused` when the
 * server refused for good.
 */
export type Status =
  | "connecting"
  | "live"
  | "recovering"
  | "reconnecting"
  | "offline"
  | "stale"
  | "refused";

/** The users online, by id, as every page knows them. */
export interface Presence {
  readonly status: Status;
  /** Why the server refused, as a sentence; empty unless `status` is `refused`. */
  readonly reason: string;
  /** Whether it refused because the reader is no longer signed in: nothing is known any more. */
  readonly isSignedOut: boolean;
  /** The ids of the users online at the last update; `null` before the first list. */
  readonly members: ReadonlySet<string> | null;
  /** When the list was last up to date, in milliseconds since 1970; `null` before the first. */
  readonly asOf: number | null;
  /** Whether the list arrived over the connection that is open now. */
  readonly joined: boolean;
  /** When `status` last changed, in milliseconds since 1970. */
  readonly since: number;
  /** The recovery after a start of the server, by the page's clock; `null` when it is over. */
  readonly recovery: Recovery | null;
}

/** An event of the presence; `at` is in milliseconds since 1970. */
export type PresenceEvent =
  /**
   * The users online: after a successful subscription, a join, a leave. `recovery` is what the server
   * answered to this subscription.
   */
  | { type: "here"; ids: string[]; recovery?: Recovery | null; at: number }
  /** A frame arrived: what is known is still true. */
  | { type: "received"; at: number }
  /** The server does not answer, though the connection is open. */
  | { type: "silent"; at: number }
  /** The device lost its network, or has one again. */
  | { type: "offline"; at: number }
  | { type: "online"; at: number }
  /** The connection or the subscription was lost and is being restored. */
  | { type: "dropped"; at: number }
  /** The connection ended for good; `reason` is a sentence for the reader. */
  | { type: "refused"; reason: string; isSignedOut?: boolean; at: number }
  /** Time passed. */
  | { type: "tick"; at: number };

/** How long a lost connection counts as `reconnecting`, in milliseconds. */
export const reconnectingMs = 10_000;

/**
 * How long a live connection may be silent before the number counts as stale, in milliseconds. A visible
 * page notices a silent server much earlier, but a hidden one does not ask.
 */
export const silenceMs = 45_000;

/** How long a page may not be up to date before a banner says so, in milliseconds. */
export const bannerAfterMs = 20_000;

/** The state of a new page. */
export function initialPresence(at: number): Presence {
  return {
    status: "connecting",
    reason: "",
    isSignedOut: false,
    members: null,
    asOf: null,
    joined: false,
    since: at,
    recovery: null,
  };
}

/**
 * The state after an event; the same object when nothing changed. Pure.
 *
 * A list replaces the one before, and counts ids: a repeated event cannot change the count.
 */
export function reducePresence(before: Presence, event: PresenceEvent): Presence {
  // The page of a reader who signed out starts anew.
  if (before.isSignedOut) return before;
  switch (event.type) {
    case "here":
      return live({ ...before, ...listed(before, event), joined: true }, event.at);
    case "received":
      return before.joined ? live(before, event.at) : before;
    case "silent":
      return isCurrent(before.status) ? enter(before, "reconnecting", event.at) : before;
    case "offline":
      return before.status === "refused" ? before : enter(before, "offline", event.at);
    case "online":
      return before.status === "offline" ? enter(before, "reconnecting", event.at) : before;
    case "dropped":
      return enter({ ...before, joined: false }, statusAfterDrop(before), event.at);
    case "refused":
      return refused(before, event);
    case "tick":
      return isOverdue(before, event.at)
        ? enter(before, "stale", event.at)
        : recovered(before, event.at);
  }
}

/** The number of users online at the last update; `null` before the first list. */
export function countOf(presence: Pick<Presence, "members">): number | null {
  return presence.members?.size ?? null;
}

/**
 * The number that a page shows: that of the last list, or the one in the HTML before the first list;
 * `null` when nothing is known, which a reader who signed out may not see either.
 */
export function shownCount(
  presence: Pick<Presence, "members" | "isSignedOut">,
  initial: number | null,
): number | null {
  return presence.isSignedOut ? null : countOf(presence) ?? initial;
}

/** Whether a status says that what is shown is what the server knows now. */
export function isCurrent(status: Status): boolean {
  return status === "live" || status === "recovering";
}

/** Whether a number is out of date for so long that a banner says so. */
export function needsBanner({ status, asOf, since }: Presence, now: number): boolean {
  return !isCurrent(status) && status !== "refused" && now - (asOf ?? since) > bannerAfterMs;
}

function listed(
  { joined, recovery }: Presence,
  event: PresenceEvent & { type: "here" },
): Pick<Presence, "members" | "recovery"> {
  const members = new Set(event.ids);
  // The answer to a subscription is of its time; what came since is in the state.
  const known = joined ? recovery : event.recovery ?? null;
  return { members, recovery: known && continueRecovery(known, members.size, event.at) };
}

function live(presence: Presence, at: number): Presence {
  const known = { ...presence, asOf: at };
  const isUnderway = known.status === "offline" && mayBeUnderway(known.since, at);
  if (isUnderway) return known;
  return enter(known, known.recovery ? "recovering" : "live", at);
}

function enter(presence: Presence, status: Status, at: number): Presence {
  const since = presence.status === status ? presence.since : at;
  return { ...presence, status, reason: "", since };
}

function refused(
  before: Presence,
  { reason, isSignedOut = false, at }: PresenceEvent & { type: "refused" },
): Presence {
  const after = { ...enter({ ...before, joined: false }, "refused", at), reason, isSignedOut };
  return isSignedOut ? { ...after, members: null, asOf: null } : after;
}

function recovered(before: Presence, at: number): Presence {
  const { status, recovery, members } = before;
  if (status !== "recovering" || recovery === null) return before;
  const after = continueRecovery(recovery, members?.size ?? 0, at);
  return after ? before : enter({ ...before, recovery: null }, "live", at);
}

function statusAfterDrop({ status, members }: Presence): Status {
  if (status === "stale" || status === "offline") return status;
  return members === null ? "connecting" : "reconnecting";
}

function isOverdue({ status, since, asOf }: Presence, at: number): boolean {
  if (isCurrent(status)) return at - (asOf ?? since) > silenceMs;
  return (status === "connecting" || status === "reconnecting") && at - since > reconnectingMs;
}
