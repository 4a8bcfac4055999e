import { type Bounds, type Ending, goneAfter } from "../bounds.ts";
import { earliestDecision } from "./disturbances.ts";
import { type Presence, presenceOf } from "./presence.ts";
import type { Disturbance, SentChange, SentList, Visit } from "./records.ts";

/** What happened between two moments at which nothing was on its way. */
export interface History {
  /** When it began. */
  readonly from: number;
  readonly visits: readonly Visit[];
  readonly disturbances: readonly Disturbance[];
  readonly changes: readonly SentChange[];
  readonly lists: readonly SentList[];
}

/** How long something took of which a promise says how long it may take. */
export interface Measured {
  readonly promise: Promised;
  /** In milliseconds. */
  readonly ms: number;
  readonly boundMs: number;
}

/** What is promised with a bound. */
export type Promised =
  | "join"
  | `left, ${Ending}`
  | "left, events held up"
  | "left, Redis lost data";

/** What clients were sent, judged. */
export interface Verdicts {
  /** A sentence each. */
  readonly violations: readonly string[];
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
  readonly #violations: string[] = [];
  readonly #measured: Measured[] = [];

  constructor(readonly history: History, readonly bounds: Bounds) {
    const { visits, disturbances } = history;
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
      violations: this.#violations,
      measured: this.#measured,
      judged: changes.length + lists.length,
    };
  }

  #added(change: SentChange, { certain, possible }: Presence): void {
    const { at } = change;
    const earliest = this.#earliest(change);
    if (!possible.some(({ from, until }) => from <= at && until >= earliest)) {
      this.#violations.push(`${textOf(change)}, who is not connected`);
      return;
    }
    const joined = certain.find(({ from, until }) => from <= at && at <= until);
    const isCalm = earliest <= at - this.bounds.slackMs &&
      earliest >= at - this.bounds.slackMs - 1;
    if (joined && isCalm && joined.from > earliest) {
      this.#measured.push({ promise: "join", ms: at - joined.from, boundMs: this.bounds.slackMs });
    }
  }

  #removed(change: SentChange, presence: Presence): void {
    const { at } = change;
    const earliest = this.#earliest(change);
    const stayed = presence.certain.find(({ from, until }) => from <= earliest && until >= at);
    if (stayed) {
      const seconds = ((at - stayed.from) / 1_000).toFixed(1);
      this.#violations.push(`${textOf(change)}, who has been there for ${seconds} s`);
      return;
    }
    // It was decided before the user came back.
    if (presence.certain.some(({ from, until }) => from <= at && until >= at)) return;
    this.#measureLeave(change, presence);
  }

  #measureLeave({ at, server }: SentChange, { endings }: Presence): void {
    const past = endings.filter((one) => one.at <= at);
    if (past.length === 0) return;
    const last = past.reduce((one, other) => other.at > one.at ? other : one);
    const { leaseMs } = this.bounds;
    const held = this.history.disturbances.filter((one) =>
      (one.server === undefined || one.server === server || one.server === last.server) &&
      one.from <= at && one.until + (one.losesData ? leaseMs : this.bounds.slackMs) >= last.at
    );
    const since = Math.max(last.at, ...held.map(({ until }) => Math.min(until, at)));
    const ms = at - since;
    const own = goneAfter(last.ending, this.bounds);
    if (held.some(({ losesData }) => losesData)) {
      const boundMs = own + leaseMs + this.bounds.beatMs + this.bounds.slackMs;
      this.#measured.push({ promise: "left, Redis lost data", ms, boundMs });
    } else if (held.length > 0) {
      const boundMs = own + this.bounds.beatMs + this.bounds.slackMs;
      this.#measured.push({ promise: "left, events held up", ms, boundMs });
    } else this.#measured.push({ promise: `left, ${last.ending}`, ms, boundMs: own });
  }

  #listed(list: SentList): void {
    const earliest = this.#earliest(list);
    const listed = new Set(list.users);
    const place = `${list.client} on ${list.server} was sent a list of ${list.room}`;
    const there = this.#byRoom.get(list.room) ?? new Map<string, Presence>();
    for (const [user, { certain }] of there) {
      const stays = certain.some(({ from, until }) => from <= earliest && until >= list.at);
      if (stays && !listed.has(user)) this.#violations.push(`${place} without ${user}`);
    }
    for (const user of listed) {
      const { possible } = there.get(user) ?? nowhere;
      if (!possible.some(({ from, until }) => from <= list.at && until >= earliest)) {
        this.#violations.push(`${place} with ${user}, who is not connected`);
      }
    }
  }

  #earliest(sent: { at: number; server: string }): number {
    const { disturbances, from } = this.history;
    return earliestDecision(sent, disturbances, this.bounds, from);
  }
}

const nowhere: Presence = { certain: [], possible: [], endings: [] };

function textOf({ client, room, server, type, user }: SentChange): string {
  return `${client} on ${server} was sent member_${type} of ${user} in ${room}`;
}
