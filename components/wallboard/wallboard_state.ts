import { mayBeUnderway } from "../connection/underway.ts";
import {
  type Reached,
  signOfLifeMs,
  type UsersCounted,
  type WallboardHour,
} from "@/shared/wallboard.ts";

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
  /** The last hour, up to the last count; null where it is not known. */
  readonly hour: WallboardHour | null;
  /** How often the record was broken, a minute apart. */
  readonly records: number;
}

/** An event of a wallboard. */
export type WallboardEvent =
  /** A count arrived. */
  | { type: "counted"; counted: UsersCounted; at: number }
  /** The last hour arrived. */
  | { type: "hour"; hour: WallboardHour }
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

const minuteMs = 60_000;

/** The state of a new wallboard, with the number and the last hour in the HTML. */
export function initialWallboard(
  counted: UsersCounted,
  at: number,
  hour: WallboardHour | null = null,
): WallboardView {
  const known = hour && hourWith(hour, counted);
  return { status: "connecting", counted, receivedAt: at, since: at, hour: known, records: 0 };
}

/** The state after an event; the same object when nothing changed. Pure. */
export function reduceWallboard(before: WallboardView, event: WallboardEvent): WallboardView {
  if (before.status === "revoked") return before;
  switch (event.type) {
    case "counted": {
      const { counted, at } = event;
      const isUnderway = before.status === "offline" && mayBeUnderway(before.since, at);
      const status = isUnderway ? "offline" : counted.freshness.state;
      const hour = before.hour && hourWith(before.hour, counted);
      return enter({ ...withHour(before, hour), counted, receivedAt: at }, status, at);
    }
    case "hour": {
      const hour = hourWith(event.hour, before.counted);
      // The page may have seen a higher number since the server read.
      return withHour(before, { ...hour, record: higher(hour.record, before.hour?.record) });
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

/** A new record counts again only a minute after the last one, as a growing number is one after the other. */
function withHour(before: WallboardView, hour: WallboardHour | null): WallboardView {
  const [was, is] = [before.hour?.record, hour?.record];
  const isBroken = was && is && is.users > was.users && is.at - was.at >= minuteMs;
  return { ...before, hour, records: before.records + Number(isBroken ?? false) };
}

/**
 * The hour up to a count: its minute is the last one, and its number is in the extremes. A number that is not
 * certain is in none.
 */
export function hourWith(
  hour: WallboardHour,
  { users, at, freshness }: UsersCounted,
): WallboardHour {
  const last = hour.most.length - 1;
  const later = Math.floor((at - hour.startsAt) / minuteMs) - last;
  if (freshness.state !== "live" || later < 0) return hour;
  // What passed between two counts is not known here; the server's next hour has it.
  const passed = Array<null>(Math.min(later, last + 1)).fill(null);
  const most = [...hour.most.slice(later), ...passed];
  most[last] = Math.max(most[last] ?? 0, users);
  const reached = { users, at };
  return {
    ...hour,
    startsAt: hour.startsAt + later * minuteMs,
    most,
    peak: higher(hour.peak, reached),
    record: higher(hour.record, reached),
  };
}

function higher(one: Reached | null, other?: Reached | null): Reached | null {
  return !one || other && other.users > one.users ? other ?? null : one;
}

/**
 * What became of the number in five minutes; null while that is not known, as is each number that is not certain.
 */
export function changeOf({ status, counted, hour }: WallboardView): number | null {
  const isKnown = hour && hour.before !== null && status === "live" &&
    counted.at - hour.at < 2 * minuteMs;
  return isKnown ? counted.users - hour.before! : null;
}

function enter(view: WallboardView, status: WallboardStatus, at: number): WallboardView {
  return { ...view, status, since: view.status === status ? view.since : at };
}

function isOverdue({ status, receivedAt, since }: WallboardView, at: number): boolean {
  if (isCurrent(status)) return at - receivedAt > wallboardSilenceMs;
  return status !== "outdated" && status !== "offline" && at - since > connectingMs;
}
