/**
 * Who is online, as the server sends it to admins' pages and as those pages keep it.
 *
 * @module
 */

/** What an account may do: an admin sees and manages everyone, a user is counted. */
export type Role = "admin" | "user";

/** Why a user left: how the last of its connections closed. */
export type LeaveReason =
  | "closed"
  | "timed_out"
  | "unsubscribed"
  | "signed_out"
  | "removed"
  | "refused"
  | "server_restart";

/** Where a person is known from: an account here, a guest's cookie, or another application. */
export type PersonKind = "user" | "guest" | "foreign";

/** Somebody who is online, as admins see them. Times are in milliseconds since 1970. */
export interface Person {
  id: string;
  kind: PersonKind;
  name: string;
  /** `null` for whoever has no account here. */
  role: Role | null;
  since: number;
  /** Open pages; 0 for the moment after the last one closed. */
  connections: number;
  lastSeenAt: number;
}

/** Somebody came or went; a line of the ticker. */
export type Activity =
  & {
    /** In milliseconds since 1970. */
    at: number;
    id: string;
    kind: PersonKind;
    name: string;
  }
  & ({ change: "joined" } | { change: "left"; reason: LeaveReason });

/** One thing that changed in what an admin sees. */
export type Change =
  | { type: "joined"; person: Person }
  | { type: "changed"; id: string; connections: number; lastSeenAt: number }
  | { type: "left"; id: string }
  | { type: "activity"; entry: Activity };

/** How many are online. */
export interface Totals {
  users: number;
  connections: number;
}

/** Payload of the event `OnlineChanged`. */
export interface OnlineChanged extends Totals {
  /** One more than that of the event before: whoever misses one takes the snapshot anew. */
  version: number;
  changes: Change[];
}

/** When a person who is online was last seen. */
export interface LastSeen {
  id: string;
  /** In milliseconds since 1970. */
  lastSeenAt: number;
}

/** How many people a page can ask for in one request when they were last seen. */
export const maxAsked = 100;

/** Everyone who is online, as of a version; see {@link OnlineChanged}. */
export interface OnlineSnapshot extends Totals {
  version: number;
  /** When that is, in milliseconds since 1970: ages are counted from here, not by a page's clock. */
  at: number;
  people: Person[];
}
