import { type People, peopleOf, withChanges } from "./people.ts";
import type { OnlineChanged, OnlineSnapshot } from "../../shared/online.ts";

/**
 * How far the list goes with what happens: `waiting` for the channel, `asking` for the list itself,
 * `following` while events keep it true, `refused` when the server said no.
 */
export type OnlineState = "waiting" | "asking" | "following" | "refused";

/** What an admin's page knows of who is online, by name. */
export interface Online {
  readonly state: OnlineState;
  /** Who was online when last heard; `null` before the first list. */
  readonly people: People | null;
  /** When the list was last known to be true, in milliseconds since 1970, unless it follows. */
  readonly trueAt: number | null;
  /** Why there is no list, for people; empty unless the server refused or failed. */
  readonly problem: string;
  /** The server's clock less the page's, in milliseconds; `null` before the first list. */
  readonly clockAhead: number | null;
  /** The last list that was asked for. */
  readonly request: ListRequest;
  /** What happened since the list was asked for: it may say less. */
  readonly held: readonly OnlineChanged[];
}

/** A list that was asked for; the answer to any before it is of no use. */
export interface ListRequest {
  readonly number: number;
  /** How many came right before it, so that it had better wait. */
  readonly repetition: number;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** What can happen to it; `at` is in milliseconds since 1970. */
export type OnlineEvent =
  /** From now on the page hears of changes. */
  | { type: "subscribed"; at: number }
  /** Changes came, in their order. */
  | { type: "changed"; changes: OnlineChanged[]; at: number }
  /** The list that was asked for came. */
  | { type: "listed"; request: number; snapshot: OnlineSnapshot; at: number }
  /** It did not come. */
  | { type: "failed"; request: number; problem: string; at: number }
  /** The reader does not want to wait for the next attempt. */
  | { type: "hurried"; at: number }
  /** Nothing is heard any more, and the last frame came at `trueAt`. */
  | { type: "dropped"; trueAt: number }
  /** The server will give no list, whenever it is asked. */
  | { type: "refused"; problem: string; trueAt: number };

/** Lists that are asked for within this time of each other are asked for later and later. */
const calmMs = 60_000;

/** What is kept until the list comes; if that is not enough, another list is asked for. */
const maxHeld = 1_000;

/** Where a page starts. */
export const initialOnline: Online = {
  state: "waiting",
  people: null,
  trueAt: null,
  problem: "",
  clockAhead: null,
  request: { number: 0, repetition: 0, at: -Infinity },
  held: [],
};

/** What is known after an event. Pure. Returns the same object when nothing changed. */
export function reduceOnline(before: Online, event: OnlineEvent): Online {
  switch (event.type) {
    case "subscribed":
      return ask({ ...before, problem: "" }, event.at);
    case "changed":
      return changed(before, event.changes, event.at);
    case "listed":
      return awaits(before, event.request) ? listed(before, event.snapshot, event.at) : before;
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
    return { ...before, held: [...before.held, ...changes].slice(-maxHeld) };
  }
  if (before.state !== "following" || before.people === null) return before;
  const people = withChanges(before.people, ...changes);
  if (people === null) return ask(before, at);
  return people === before.people ? before : { ...before, people };
}

/** A list replaces the one before, whatever that said. */
function listed(before: Online, snapshot: OnlineSnapshot, at: number): Online {
  const known = peopleOf(snapshot);
  const people = withChanges(known, ...before.held);
  const after = { ...before, clockAhead: snapshot.at - at, problem: "" };
  if (people === null) return ask({ ...after, people: known, trueAt: at }, at);
  return { ...after, people, state: "following", trueAt: null, held: [] };
}

function ask(before: Online, at: number, repetition = repetitionAt(before, at)): Online {
  const request = { number: before.request.number + 1, repetition, at };
  return { ...lost(before, "asking", at), request };
}

function repetitionAt({ request }: Online, at: number): number {
  return at - request.at > calmMs ? 0 : request.repetition + 1;
}

function lost(before: Online, state: OnlineState, at: number): Online {
  const trueAt = before.state === "following" ? at : before.trueAt;
  return { ...before, state, trueAt, held: [] };
}
