/**
 * Who is online, as the server sends it to admins' pages and as those pages keep it.
 *
 * @module
 */

import type { AlertView } from "./alert.ts";
import type { CountedTotals } from "./counted.ts";
import type { Role } from "./permissions.ts";
import type { CurrentPage, TopPages } from "./list_page.ts";
import type { Health } from "./servers.ts";
import type { Recovery } from "./recovery.ts";

/** Why a person left: how the last connection of the person closed. */
export type LeaveReason =
  | "closed"
  | "timed_out"
  | "unsubscribed"
  | "signed_out"
  | "removed"
  | "refused"
  | "server_restart"
  | "server_lost";

/** What identifies a person: an account here, a guest's cookie, or your own app (`foreign`). */
export type PersonKind = "user" | "guest" | "foreign";

/** Whether a person uses what they have open, as far as their tabs report it. */
export interface UserActivity {
  state: "active" | "idle";
  /** In milliseconds since 1970. */
  since: number;
}

/** A person who is online, as admins see them. Times are in milliseconds since 1970. */
export interface Person {
  id: string;
  kind: PersonKind;
  name: string;
  /** A second line about the person, from your own app. */
  detail?: string;
  /** Where your own app shows the person. */
  url?: string;
  /** `null` for a person without an account here. */
  role: Role | null;
  /** The name of the person's app (`foreign`), where there are several apps. */
  source?: string;
  /** Whether the person is a user of another app, who has no page here. */
  isElsewhere?: boolean;
  /** Whether the name has not come yet: `name` is “…” then. */
  isUnnamed?: boolean;
  since: number;
  /** Open tabs; 0 for the moment after the last one closed, in which the person is leaving. */
  connections: number;
  lastSeenAt: number;
  /** The page that a tab of the person reported last; absent when none does. */
  page?: CurrentPage;
  /** Absent while no tab reports it: then nothing is known. */
  activity?: UserActivity;
}

/** A person joined or left; a line of the recent activity. */
export type Activity =
  & {
    /** In milliseconds since 1970. */
    at: number;
    id: string;
    kind: PersonKind;
    name: string;
    /** As in a {@link Person}. */
    isElsewhere?: boolean;
  }
  & ({ change: "joined" } | { change: "left"; reason: LeaveReason });

/** A change of the online table or the recent activity. */
export type Change =
  | { type: "joined"; person: Person }
  | ({ type: "changed" } & Pick<Person, "id" | "connections" | "lastSeenAt" | "page" | "activity">)
  | { type: "left"; id: string }
  | { type: "activity"; entry: Activity };

/** The number of people online and of their connections. */
export interface Totals {
  users: number;
  /** How many of the users are guests; absent when none is. */
  guests?: number;
  connections: number;
  /** How many people are active; absent or null while no tab reports it. */
  active?: number | null;
}

/** How many of some people are active; null while no tab reports it. */
export function activeIn(people: Iterable<Pick<Person, "activity">>): number | null {
  let active: number | null = null;
  for (const { activity } of people) {
    if (activity) active = (active ?? 0) + Number(activity.state === "active");
  }
  return active;
}

/**
 * The connections that a person has in a total: someone who is leaving counts as a user and so as one
 * connection, as there are never fewer connections than users.
 */
export function minimumConnections({ connections }: Person): number {
  return Math.max(1, connections);
}

/** Payload of the event `OnlineChanged`. */
export interface OnlineChanged {
  /** Whose versions these are: each server counts its own, and versions of two servers are not compared. */
  epoch: string;
  /** Rises by one with each event: a page that misses an event requests a new snapshot. */
  version: number;
  changes: Change[];
}

/** Everyone who is online, as of a version; see {@link OnlineChanged}. */
export interface OnlineSnapshot extends Totals {
  epoch: string;
  version: number;
  /** The time of the snapshot, in milliseconds since 1970, by the server's clock. */
  at: number;
  people: Person[];
  /** Whether they are too many to send all: there are no people then, and pages ask for rows. */
  isLarge?: boolean;
}

/** What an admin's page requests whenever it (re)connects. */
export interface OnlineList extends OnlineSnapshot {
  alert: AlertView;
  /** Of the users online; absent for a reader who may not see them. */
  topPages?: TopPages;
  health: Health;
  /** The recovery of the number, if it recovers; the recovery of the users online comes with their channel. */
  recovery?: Recovery | null;
  /** The users of the counted channels that the reader may see, where several are counted. */
  counted?: CountedTotals;
  /** Whether an app has had a user, so that admins who watch are not counted. */
  hasAppUsers?: boolean;
}

/** When a person last gave a sign of life. */
export interface LastSeen {
  id: string;
  /** In milliseconds since 1970. */
  lastSeenAt: number;
}

/** The maximum number of people in one request for {@link LastSeen}. */
export const maxLastSeenIds = 100;
