import { type Bounds, type Ending, goneAfter } from "../bounds.ts";
import { secondsText } from "../time.ts";
import { earliestDecision, holdsUp } from "./disturbances.ts";
import { type Presence, presenceOf } from "./presence.ts";
import { promises, type Violation } from "./promises.ts";
import type { Disturbance, Reception, SentChange, SentList, Visit } from "./records.ts";

/** What happened between two moments at which nothing was on its way. */
export interface History {
  /** When it began. */
  readonly from: number;
  readonly visits: readonly Visit[];
  readonly disturbances: readonly Disturbance[];
  readonly changes: readonly SentChange[];
  readonly lists: readonly SentList[];
}

/** How long something took that has a bound. */
export interface Measured {
  readonly kind: DurationKind;
  /** In milliseconds. */
  readonly ms: number;
  readonly boundMs: number;
}

/** What has a bound. */
export type DurationKind =
  | "join"
  | `left, ${Ending}`
  | "left, events held up"
  | "left, Redis lost data"
  | "sent away, without Redis";

/** What clients were sent, judged. */
export interface Verdicts {
  readonly violations: readonly Violation[];
  readonly measured: readonly Measured[];
  /** How many changes and lists were as they have to be. */
  readonly judged: number;
}

/** Judges what clients were sent by what is known to have happened. Pure. */
export function judge(history: History, bounds: Bounds): Verdicts {
  return new Judge(history, bounds).judge();
}

class Judge {
  readonly #presences = new Map<string, Presence>();
  readonly #byRoom = new Map<string, Map<string, Presence>>();
  readonly #measured: Measured[] = [];
  readonly #wrong = new Map<string, WrongGroup>();

  constructor(readonly history: History, readonly bounds: Bounds) {
    const { visits } = history;
    const disturbances = history.disturbances.filter(({ process }) => process === undefined);
    for (const [key, theirs] of Map.groupBy(visits, ({ room, user }) => `${room} ${user}`)) {
      const presence = presenceOf(theirs, disturbances, bounds);
      this.#presences.set(key, presence);
      const [{ room, user }] = theirs;
      const users = this.#byRoom.get(room);
      if (users) users.set(user, presence);
      else this.#byRoom.set(room, new Map([[user, presence]]));
    }
  }

  judge(): Verdicts {
    const { changes, lists } = this.history;
    for (const change of changes) {
      const presence = this.#presences.get(`${change.room} ${change.user}`) ?? nowhere;
      if (change.type === "added") this.#added(change, presence);
      else this.#removed(change, presence);
    }
    for (const list of lists) this.#listed(list);
    return {
      violations: [...this.#wrong.values()].map((group) => violationOf(group)),
      measured: this.#measured,
      judged: changes.length + lists.length,
    };
  }

  #added(change: SentChange, { certain, possible }: Presence): void {
    const { at } = change;
    const earliest = this.#earliest(change);
    if (!possible.some(({ from, until }) => from <= at && until >= earliest)) {
      this.#addViolation(change, promises.falseJoin, "who is not connected");
      return;
    }
    const joined = certain.find(({ from, until }) => from <= at && at <= until);
    // No disturbance moves the earliest decision.
    const isCalm = Math.abs(at - this.bounds.slackMs - earliest) <= 1;

    if (!joined || !isCalm || joined.from <= earliest) return;
    this.#measured.push({ kind: "join", ms: at - joined.from, boundMs: this.bounds.slackMs });
  }

  /** All clients of a server are sent the same, often of many users: one stands for all. */
  #addViolation(change: Sent, promise: string, why: string): void {
    const { client, room, server, type, user } = change;
    const key = `${server} ${type} ${room} ${promise} ${why.replace(/[\d.]+/g, "")}`;
    let group = this.#wrong.get(key);
    if (!group) {
      const text = `${textOf(change)} ${this.#ago(change.at)}, ${why}`;
      const story = this.#storyOf(change);
      group = { promise, server, text, story, clients: new Set(), users: new Set() };
      this.#wrong.set(key, group);
    }
    group.clients.add(client);
    group.users.add(user);
  }

  /** The connections of a user and what one client was sent of it, with how long ago it was. */
  #storyOf({ client, room, user }: Sent): string {
    const { changes, visits } = this.history;
    const own = visits.filter((visit) => visit.room === room && visit.user === user);
    const connections = own.map(({ askedAt, joinedAt, endedAt, ending, server }) => {
      const joined = joinedAt === undefined ? "never joined" : `joined ${this.#ago(joinedAt)}`;
      const ended = endedAt === undefined ? "" : `, ${ending} ${this.#ago(endedAt)}`;
      return `on ${server} asked ${this.#ago(askedAt)}, ${joined}${ended}`;
    });
    const sent = changes.filter((one) =>
      one.client === client && one.room === room && one.user === user
    ).map(({ at, type }) => `${type} ${this.#ago(at)}`);
    return `connections of ${user}: ${connections.join(" / ")}; that client was sent ${
      sent.join(", ")
    }`;
  }

  #ago(at: number): string {
    return `at ${secondsText(at - this.history.from)}`;
  }

  #removed(change: SentChange, presence: Presence): void {
    const { at } = change;
    const earliest = this.#earliest(change);
    const stayed = presence.certain.find(({ from, until }) => from <= earliest && until >= at);
    if (stayed) {
      const why = `who has been there for ${secondsText(at - stayed.from)}`;
      this.#addViolation(change, promises.falseLeave, why);
      return;
    }
    // It was decided before the user came back.
    if (presence.certain.some(({ from, until }) => from <= at && until >= at)) return;
    this.#measureLeave(change, presence);
  }

  #measureLeave(change: SentChange, { endings }: Presence): void {
    const { at } = change;
    const { heartbeatMs, leaseMs, slackMs } = this.bounds;
    const past = endings.filter((one) => one.at <= at).map((one) => {
      const held = this.history.disturbances.filter((other) =>
        (holdsUp(other, change) || other.server === one.server) &&
        other.from <= at && other.until + (other.losesData ? leaseMs : slackMs) >= one.at
      );
      const isLost = held.some(({ losesData }) => losesData);
      const since = Math.max(one.at, ...held.map(({ until }) => Math.min(until, at)));
      const boundMs = goneAfter(one.ending, this.bounds) +
        (held.length > 0 ? heartbeatMs + slackMs : 0) +
        (isLost ? leaseMs : 0);
      const kind: DurationKind = isLost
        ? "left, Redis lost data"
        : held.length > 0
        ? "left, events held up"
        : `left, ${one.ending}`;
      return { kind, ms: at - since, boundMs };
    });
    if (past.length === 0) return;
    // The last of the ways to leave that explain it, or else the last of all.
    const explained = past.filter(({ ms, boundMs }) => ms <= boundMs);
    const measured = (explained.length > 0 ? explained : past)
      .reduce((one, other) => other.ms < one.ms ? other : one);
    this.#measured.push(measured);
    const { boundMs, kind, ms } = measured;
    if (ms > boundMs) {
      const limit = `not ${secondsText(boundMs)} at most`;
      const why = `${secondsText(ms)} after the end and ${limit} (${kind})`;
      this.#addViolation(change, promises.late, why);
    }
  }

  #listed(list: SentList): void {
    const earliest = this.#earliest(list);
    const listed = new Set(list.users);
    const there = this.#byRoom.get(list.room) ?? new Map<string, Presence>();
    for (const [user, { stated }] of there) {
      const stays = stated.some(({ from, until }) => from <= earliest && until >= list.at);
      if (stays && !listed.has(user)) {
        const missing = { ...list, user, type: "listed" } as const;
        this.#addViolation(missing, promises.sentList, "a list that lacks the user");
      }
    }
    for (const user of listed) {
      const { possible } = there.get(user) ?? nowhere;
      if (!possible.some(({ from, until }) => from <= list.at && until >= earliest)) {
        const ghost = { ...list, user, type: "listed" } as const;
        this.#addViolation(ghost, promises.sentList, "who is not connected");
      }
    }
  }

  #earliest(reception: Reception): number {
    const { disturbances, from } = this.history;
    return earliestDecision(reception, disturbances, this.bounds, from);
  }
}

const nowhere: Presence = { certain: [], stated: [], possible: [], endings: [] };

/** What is wrong in the same way for clients of one server. */
interface WrongGroup {
  readonly promise: string;
  readonly server: string;
  /** Of the first. */
  readonly text: string;
  readonly story: string;
  readonly clients: Set<string>;
  readonly users: Set<string>;
}

function violationOf({ clients, promise, server, story, text, users }: WrongGroup): Violation {
  const others = [...users].slice(1);
  const more = [
    ...(clients.size > 1 ? [`${clients.size - 1} more clients of ${server}`] : []),
    ...(others.length > 0 ? [`${others.length} more users, ${others.slice(0, 5).join(", ")}`] : []),
  ];
  const rest = more.length > 0 ? ` (and ${more.join("; and ")})` : "";
  return { promise, text: `${text}; ${story}${rest}` };
}

/** A change, or a user in a list or missing from it. */
type Sent = Omit<SentChange, "type"> & { readonly type: SentChange["type"] | "listed" };

function textOf({ client, room, server, type, user }: Sent): string {
  const what = type === "listed" ? "a list, with respect to" : `member_${type} of`;
  return `${client} on ${server} was sent ${what} ${user} in ${room}`;
}
