/**
 * The number of users online, as a page knows it: one state, and one pure function from a state and an event
 * to the next state.
 *
 * `presence_connection.ts` makes events of what Echo and pusher-js report: lists, counts, frames, losses, and
 * ticks of a clock. `shared_presence.ts` has the one store of the page, which all islands share;
 * `OnlineChart.tsx` and `ConnectionStatus.tsx` draw it.
 *
 * The promise: a page never shows a number as live that it cannot vouch for. A number is `live` while frames
 * arrive; without them it is `reconnecting`, then `outdated` with the time of its last update. After a start of
 * the server it is `recovering` until users are back, and `stale` while the server does not reach the
 * others. The first number is in the HTML, so there is one before any script runs.
 *
 * Members are counted by their ids and a list replaces the previous one, so that a repeated event changes
 * nothing. A quiet page is told the number only, and has no ids.
 *
 * The trade-off: a list is copied for each report, at most four times a second. It keeps the state a value
 * that tests can compare, and large channels are counted without a list.
 *
 * @module
 */
import { mayBeUnderway } from "../connection/underway.ts";
import { isGuestId } from "@/shared/client_settings.ts";
import { continueRecovery, type Recovery } from "@/shared/recovery.ts";

/**
 * The status of the number: `connecting` before the first list, `live` while events arrive, `recovering`
 * while they arrive and users are still coming back after a start of the server, `stale` while the
 * server is partitioned from the other servers, so that it does not learn of changes, `reconnecting` for the
 * first seconds after a loss, `offline` while the device is, `outdated` after that, `refused` when the
 * server refused for good.
 */
export type Status =
  | "connecting"
  | "live"
  | "recovering"
  | "stale"
  | "reconnecting"
  | "offline"
  | "outdated"
  | "refused";

/** The users online, by id, as every page knows them. */
export interface Presence {
  readonly status: Status;
  /** Why the server refused, for good or for now, as a sentence; empty if it did not. */
  readonly reason: string;
  /** The number of users online at the last update; `null` before the first. */
  readonly users: number | null;
  /** How many of them are guests; absent before the first number. */
  readonly guests?: number;
  /** Their ids; `null` before the first list, and on pages that are told the number only. */
  readonly members: ReadonlySet<string> | null;
  /** When the number was last up to date, in milliseconds since 1970; `null` before the first. */
  readonly asOf: number | null;
  /** Whether the number arrived over the connection that is open now. */
  readonly joined: boolean;
  /** When `status` last changed, in milliseconds since 1970. */
  readonly since: number;
  /** How many users are expected back after a start of the server; `null` when that is over. */
  readonly recovery: { readonly expected: number } | null;
  /** Since when the server's numbers are stale, by the server's clock; `null` while they are not. */
  readonly staleSince: number | null;
}

/** The presence with what the next one follows from. */
export interface FollowedPresence extends Presence {
  /** By the page's clock. */
  readonly recovery: Recovery | null;
}

/** An event of the presence; `at` is in milliseconds since 1970. */
export type PresenceEvent =
  /**
   * The users online: after a successful subscription, a join, a leave. `recovery` is what the server
   * answered to this subscription.
   */
  | { type: "here"; ids: string[]; recovery?: Recovery | null; at: number }
  /** The number of users online, on a page that is not told who they are. */
  | { type: "counted"; users: number; guests?: number; recovery?: Recovery | null; at: number }
  /** The server's numbers are stale since then, by its clock; `null`: they are not any more. */
  | { type: "stale"; since: number | null; at: number }
  /** A frame arrived: what is known is still true. */
  | { type: "received"; at: number }
  /** The server does not answer, though the connection is open. */
  | { type: "silent"; at: number }
  /** The device lost its network, or has one again. */
  | { type: "offline"; at: number }
  | { type: "online"; at: number }
  /** The connection or the subscription was lost and is being restored. */
  | { type: "dropped"; at: number; reason?: string }
  /** The connection ended for good; `reason` is a sentence for the reader. */
  | { type: "refused"; reason: string; at: number }
  /** Time passed. */
  | { type: "tick"; at: number };

/** How long a lost connection counts as `reconnecting`, in milliseconds. */
export const reconnectingMs = 10_000;

/**
 * How long a live connection may be silent before the number counts as outdated, in milliseconds. A visible
 * page notices a silent server much earlier, but a hidden one does not ask.
 */
export const silenceMs = 45_000;

/** How long a connected page may not be up to date before a banner says so, in milliseconds. */
export const bannerAfterMs = 20_000;

/** The state of a new page. */
export function initialPresence(at: number): FollowedPresence {
  return {
    status: "connecting",
    reason: "",
    users: null,
    members: null,
    asOf: null,
    joined: false,
    since: at,
    recovery: null,
    staleSince: null,
  };
}

/**
 * The state after an event; the same object when nothing changed. Pure.
 *
 * A list replaces the previous one, and counts ids: a repeated event cannot change the count.
 */
export function reducePresence(before: FollowedPresence, event: PresenceEvent): FollowedPresence {
  switch (event.type) {
    case "here": {
      const members = new Set(event.ids);
      const guests = event.ids.filter(isGuestId).length;
      return counted({ ...before, members, guests }, members.size, event);
    }
    case "counted":
      return counted({ ...before, members: null, guests: event.guests ?? 0 }, event.users, event);
    case "stale":
      return stale({ ...before, staleSince: event.since }, event.at);
    case "received":
      return before.joined || before.status === "stale" ? live(before, event.at) : before;
    case "silent":
      return isCurrent(before.status) ? enter(before, "reconnecting", event.at) : before;
    case "offline":
      return before.status === "refused" ? before : enter(before, "offline", event.at);
    case "online":
      return before.status === "offline" ? enter(before, "reconnecting", event.at) : before;
    case "dropped":
      // The next connection may be to another server.
      return enter(
        { ...before, joined: false, staleSince: null },
        statusAfterDrop(before),
        event.at,
        event.reason,
      );
    case "refused":
      return {
        ...enter({ ...before, joined: false }, "refused", event.at),
        reason: event.reason,
      };
    case "tick":
      return isOverdue(before, event.at)
        ? enter(before, "outdated", event.at, before.reason)
        : recovered(before, event.at);
  }
}

/** Whether a status says that what is shown is what the server knows now. */
export function isCurrent(status: Status): boolean {
  return status === "live" || status === "recovering" || status === "stale";
}

/** Whether a banner says that a number is out of date: at once on a device that is offline. */
export function needsBanner({ status, asOf, since }: Presence, now: number): boolean {
  if (status === "offline") return true;
  return !isCurrent(status) && status !== "refused" && now - (asOf ?? since) > bannerAfterMs;
}

function counted(
  presence: FollowedPresence,
  users: number,
  event: PresenceEvent & { type: "here" | "counted" },
): FollowedPresence {
  // The answer to a subscription is of its time; what came since is in the state.
  const reported = presence.joined ? presence.recovery : event.recovery ?? null;
  const recovery = reported && continueRecovery(reported, users, event.at);
  return live({ ...presence, users, recovery, joined: true }, event.at);
}

function live(presence: FollowedPresence, at: number): FollowedPresence {
  const current = { ...presence, asOf: at };
  const isUnderway = current.status === "offline" && mayBeUnderway(current.since, at);
  if (isUnderway) return current;
  return enter(current, statusOf(current), at);
}

function statusOf({ recovery, staleSince }: Presence): Status {
  if (staleSince !== null) return "stale";
  return recovery ? "recovering" : "live";
}

/** A page that waits for its subscription, until the server is connected to the others, has a number too. */
function stale(presence: FollowedPresence, at: number): FollowedPresence {
  const { joined, staleSince, status, users } = presence;
  if (status === "refused") return presence;
  if (staleSince !== null) return live(presence, at);
  if (joined) return isCurrent(status) ? live(presence, at) : presence;
  if (status !== "stale") return presence;
  return enter(presence, users === null ? "connecting" : "reconnecting", at);
}

function enter(
  presence: FollowedPresence,
  status: Status,
  at: number,
  reason = "",
): FollowedPresence {
  const since = presence.status === status ? presence.since : at;
  return { ...presence, status, reason, since };
}

function recovered(before: FollowedPresence, at: number): FollowedPresence {
  const { status, recovery, users } = before;
  if (status !== "recovering" || recovery === null) return before;
  const after = continueRecovery(recovery, users ?? 0, at);
  return after ? before : enter({ ...before, recovery: null }, "live", at);
}

function statusAfterDrop({ status, users }: Presence): Status {
  if (status === "outdated" || status === "offline") return status;
  return users === null ? "connecting" : "reconnecting";
}

function isOverdue({ status, since, asOf }: Presence, at: number): boolean {
  if (isCurrent(status)) return at - (asOf ?? since) > silenceMs;
  return (status === "connecting" || status === "reconnecting") && at - since > reconnectingMs;
}
