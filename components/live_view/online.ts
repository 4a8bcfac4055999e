import { type People, peopleOf, withChanges } from "./people.ts";
import type { AlertView } from "@/shared/alert.ts";
import type { OnlineSummary } from "@/shared/large_channel.ts";
import type { OnlineChanged, OnlineList } from "@/shared/online.ts";
import type { Recovery } from "@/shared/recovery.ts";

/**
 * The state of the list: `waiting` for the channel, `asking` for the list itself, `following` while
 * events keep it up to date, `refused` when the server refused it for good.
 */
export type OnlineState = "waiting" | "asking" | "following" | "refused";

/** Who is online, by name, as an admin's page knows it. */
export interface Online {
  readonly state: OnlineState;
  /** The people online at the last update; `null` before the first list, and while they are too many. */
  readonly people: People | null;
  /** How many they are, while they are too many for a list; else `null`. */
  readonly summary: Pick<OnlineSummary, "users" | "guests" | "connections" | "active"> | null;
  /** When the list was last up to date, in milliseconds since 1970; `null` while it follows. */
  readonly trueAt: number | null;
  /** Why there is no list, as a sentence; empty unless the server refused or failed. */
  readonly problem: string;
  /** The server's clock minus the page's, in milliseconds; `null` before the first list. */
  readonly clockAhead: number | null;
  /** The last request for a list. */
  readonly request: ListRequest;
  /** Changes since the list was requested, which it may not contain. */
  readonly buffered: readonly OnlineChanged[];
  /** The alert as the server last sent it; `null` before the first list. */
  readonly alert: AlertView | null;
  /** The recovery of the number of a channel other than the users online, if it recovers. */
  readonly recovery: Recovery | null;
  /** Whether the alert changed since the list was requested, which may hold the previous one. */
  readonly isAlertNewer: boolean;
  /** As of the last list. */
  readonly hasAppUsers?: boolean;
}

/** A request for a list. Answers to earlier requests are ignored. */
export interface ListRequest {
  readonly number: number;
  /** How many requests came shortly before it: it waits the longer. */
  readonly repetition: number;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** An event of the list; `at` is in milliseconds since 1970. */
export type OnlineEvent =
  /** The page receives changes from now on. */
  | { type: "subscribed"; at: number }
  /** Changes arrived, in their order. */
  | { type: "changed"; changes: OnlineChanged[]; at: number }
  /** How many are online now. */
  | { type: "summary"; summary: OnlineSummary; at: number }
  /** The alert was changed, began or ended. */
  | { type: "alert"; alert: AlertView }
  /** The number can be believed from now on. */
  | { type: "recovered" }
  /** The requested list arrived. */
  | { type: "listed"; request: number; list: OnlineList; at: number }
  /** The request failed. */
  | { type: "failed"; request: number; problem: string; at: number }
  /** The reader asked to retry now. */
  | { type: "hurried"; at: number }
  /** The connection was lost; the last frame arrived at `trueAt`. */
  | { type: "dropped"; trueAt: number }
  /** The server refused the list for good. */
  | { type: "refused"; problem: string; trueAt: number };

/** Requests within this time of each other wait longer and longer, in milliseconds. */
const calmMs = 60_000;

/** Changes that are kept until the list arrives; beyond that, another list is requested. */
const maxBuffered = 1_000;

/** The state of a new page. */
export const initialOnline: Online = {
  state: "waiting",
  people: null,
  summary: null,
  trueAt: null,
  problem: "",
  clockAhead: null,
  request: { number: 0, repetition: 0, at: -Infinity },
  buffered: [],
  alert: null,
  recovery: null,
  isAlertNewer: false,
};

/** The state after an event; the same object when nothing changed. Pure. */
export function reduceOnline(before: Online, event: OnlineEvent): Online {
  switch (event.type) {
    case "subscribed":
      return ask({ ...before, problem: "" }, event.at);
    case "changed":
      return changed(before, event.changes, event.at);
    case "summary":
      return summarized(before, event.summary, event.at);
    case "alert":
      return { ...before, alert: event.alert, isAlertNewer: true };
    case "recovered":
      return { ...before, recovery: null };
    case "listed":
      return awaits(before, event.request) ? listed(before, event.list, event.at) : before;
    case "failed":
      return awaits(before, event.request)
        ? ask({ ...before, problem: event.problem }, event.at)
        : before;
    case "hurried":
      return before.state === "asking" ? ask(before, event.at, 0) : before;
    case "dropped":
      return before.state === "waiting" ? before : lost(before, "waiting", event.trueAt);
    case "refused":
      return { ...lost(before, "refused", event.trueAt), problem: event.problem };
  }
}

function awaits({ state, request }: Online, number: number): boolean {
  return state === "asking" && request.number === number;
}

function changed(before: Online, changes: OnlineChanged[], at: number): Online {
  if (before.state === "asking") {
    return { ...before, buffered: [...before.buffered, ...changes].slice(-maxBuffered) };
  }
  if (before.state !== "following") return before;
  if (before.people === null) return ask(before, at, 0);
  const people = withChanges(before.people, ...changes);
  if (people === null) return ask(before, at);
  return people === before.people ? before : { ...before, people };
}

/** The first change to many users, and back to few, has the page ask for a list. */
function summarized(before: Online, summary: OnlineSummary, at: number): Online {
  if (before.state !== "following") return before;
  return summary.isLarge && before.summary ? { ...before, summary } : ask(before, at, 0);
}

/** A list replaces the previous one, even one of a higher version. */
function listed(before: Online, list: OnlineList, at: number): Online {
  const { hasAppUsers, isLarge } = list;
  const listedPeople = peopleOf(list);
  const people = isLarge ? null : withChanges(listedPeople, ...before.buffered);
  const alert = before.isAlertNewer ? before.alert : list.alert;
  const recovery = list.recovery ?? null;
  const summary = isLarge ? list : null;
  const clockAhead = list.at - at;
  const after = { ...before, alert, recovery, summary, hasAppUsers, clockAhead, problem: "" };
  if (!people && !isLarge) return ask({ ...after, people: listedPeople, trueAt: at }, at);
  return { ...after, people, state: "following", trueAt: null, buffered: [] };
}

function ask(before: Online, at: number, repetition = repetitionAt(before, at)): Online {
  const request = { number: before.request.number + 1, repetition, at };
  return { ...lost(before, "asking", at), request, isAlertNewer: false };
}

function repetitionAt({ request }: Online, at: number): number {
  return at - request.at > calmMs ? 0 : request.repetition + 1;
}

function lost(before: Online, state: OnlineState, at: number): Online {
  const trueAt = before.state === "following" ? at : before.trueAt;
  return { ...before, state, trueAt, buffered: [] };
}
