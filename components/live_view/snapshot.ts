import type { Online } from "./online.ts";
import { isCurrent, type Presence, reconnectingMs } from "../presence/presence.ts";
import type { People } from "./people.ts";
import { type ClientSettings, guestName, isGuestId } from "@/shared/client_settings.ts";
import { activeIn, minimumConnections, type Person } from "@/shared/online.ts";
import { onlineTableOf, type OnlineTableQuery } from "@/shared/online_table.ts";
import { durationText } from "../page/time_text.ts";
import { countText, numberText } from "@/shared/text.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/** The status of the list, and when the list was last up to date. */
type OnlineTableStatus = Pick<Presence, "status" | "asOf">;

/**
 * The status of the list of names: the number's, and while the number is live, the list's
 * itself.
 *
 * @param now in milliseconds since 1970.
 */
export function onlineTableStatus(
  presence: Presence,
  online: Online,
  now: number,
): OnlineTableStatus {
  if (online.state === "refused") return { status: "refused", asOf: online.trueAt };
  const { status, since } = presence;
  if (!isCurrent(status)) return presence;
  // Frames arrive from a server that does not learn of all changes.
  if (online.state === "following") return status === "stale" ? { status, asOf: since } : presence;
  if (online.trueAt === null) return { status: "connecting", asOf: null };
  const isOverdue = now - online.trueAt > reconnectingMs;
  return { status: isOverdue ? "outdated" : "reconnecting", asOf: online.trueAt };
}

/** Who is online at one moment, for everything on a page that shows it. */
interface OnlineSnapshot {
  /** By id, one for each user of the number. */
  readonly byId: ReadonlyMap<string, Person>;
  /** Their connections; at least as many as users. */
  readonly connections: number;
  /** How many are active; null while no tab reports it. */
  readonly active: number | null;
  /** How many are guests. */
  readonly guests: number;
}

/**
 * The people of a list who are online by the number, which is newer: names come up to half a second
 * after a join. A user whose name has not come yet has no `name`.
 *
 * @param members the ids of the users online; `null` before the first list: then all people are.
 * @param at when a user without a name is taken to have joined, in milliseconds since 1970, by the
 * server's clock.
 */
export function snapshotOf(
  members: ReadonlySet<string> | null,
  byId: People["byId"],
  at: number,
): OnlineSnapshot {
  const people = members === null ? byId : peopleIn(members, byId, at);
  let connections = 0;
  let guests = 0;
  for (const person of people.values()) {
    connections += minimumConnections(person);
    if (person.kind === "guest") guests++;
  }
  return { byId: people, connections, active: activeIn(people.values()), guests };
}

/** The same map when it has them and no others. */
function peopleIn(
  members: ReadonlySet<string>,
  byId: People["byId"],
  at: number,
): ReadonlyMap<string, Person> {
  // Loops, because there can be thousands.
  const people = new Map<string, Person>();
  let isSame = members.size === byId.size;
  for (const id of members) {
    const person = byId.get(id);
    isSame &&= person !== undefined;
    people.set(id, person ?? unnamed(id, at));
  }
  return isSame ? byId : people;
}

/**
 * The rows of the online table. While the list follows, a person's row waits for the name, which comes
 * within half a second, because a row that moves when its name comes moves the others twice. Otherwise
 * the name may be long in coming, and such people are last.
 */
export function rowsOf(
  byId: OnlineSnapshot["byId"],
  query: OnlineTableQuery,
  state: Online["state"],
): Person[] {
  const named: Person[] = [];
  const unnamed: Person[] = [];
  for (const person of byId.values()) (person.isUnnamed ? unnamed : named).push(person);
  const rows = onlineTableOf(named, query);
  return state === "following" ? rows : rows.concat(onlineTableOf(unnamed, query));
}

/** The last snapshot: several parts of a page ask for the same one. */
let last:
  | { members: Presence["members"]; byId: People["byId"]; snapshot: OnlineSnapshot }
  | undefined;

/** What a page shows of who is online; null before the first list. */
export function currentSnapshot(
  { members, asOf }: Pick<Presence, "members" | "asOf">,
  { people, clockAhead }: Pick<Online, "people" | "clockAhead">,
): OnlineSnapshot | null {
  if (people === null) return null;
  if (last?.members !== members || last.byId !== people.byId) {
    const at = (asOf ?? Date.now()) + (clockAhead ?? 0);
    last = { members, byId: people.byId, snapshot: snapshotOf(members, people.byId, at) };
  }
  return last.snapshot;
}

/**
 * The presence that a page shows. A channel other than the users online is known by its
 * list only, because the page does not join the channel: it is as current as the list and the connection.
 */
export function shownPresence(
  { pagesChannel }: Pick<ClientSettings, "pagesChannel">,
  presence: Presence,
  online: Online,
): Presence {
  if (!pagesChannel) return presence;
  const { recovery } = online;
  const { status, asOf } = onlineTableStatus(presence, online, Date.now());
  const current = presence.status === "stale" ? "stale" : recovery ? "recovering" : "live";
  return {
    ...presence,
    asOf,
    recovery,
    users: null,
    members: null,
    status: isCurrent(status) ? current : status,
    reason: online.state === "refused" ? online.problem : presence.reason,
  };
}

function unnamed(id: string, at: number): Person {
  const isGuest = isGuestId(id);
  return {
    id,
    kind: isGuest ? "guest" : "foreign",
    name: isGuest ? guestName(id) : "…",
    role: null,
    isUnnamed: !isGuest,
    since: at,
    connections: 1,
    lastSeenAt: at,
  };
}

/** The role of a person, or the kind or the app of a person without one. */
export function roleText(
  { kind, role, source, isUnnamed }: Pick<Person, "kind" | "role" | "source" | "isUnnamed">,
): string {
  if (isUnnamed) return "";
  if (kind === "guest") return text`Guest`;
  if (source !== undefined) return source;
  // As `roleLabels` has them, which would make the live view's script larger.
  const name = role ?? "user";
  return longText(name[0].toUpperCase() + name.slice(1));
}

/** How many people are listed: `12 people`, or `3 of 12 people` after a search. */
export function hitsText(hits: number, total: number, searched: boolean): string {
  const people = countText(total, "person", "people");
  return searched ? text`${numberText(hits)} of ${people}` : people;
}

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

/**
 * A length of time that is seen to grow: `42 s`, `3:10`, `1 h 04`; days from one day on. In milliseconds.
 */
export function runningText(length: number): string {
  if (length < minute) return text`${Math.floor(length / second)} s`;
  const [unit, part, separator] = length < hour
    ? [minute, second, ":"]
    : [hour, minute, ` ${longText("h")} `];
  if (length >= day) return durationText(length);
  const rest = Math.floor(length % unit / part);
  return `${Math.floor(length / unit)}${separator}${String(rest).padStart(2, "0")}`;
}
