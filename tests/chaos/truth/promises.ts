/** What is promised beside times, in the words of the report. */
export const promises = {
  falseLeave: "No one is announced as gone who is there",
  falseJoin: "No one is announced as new who is not connected",
  late: "Who left is announced as gone within the bound",
  sentList: "A list that is sent has all who are there, and no others",
  quietList: "At each quiet moment, the list of every client is right",
  api: "At each quiet moment, the HTTP API of each server is right",
  letIn: "Clients are let in within the time that a lease needs",
  frames: "Each frame fits those before it, and no client gets an error",
  events: "Each client gets an event once at most, and all in one order",
  delivery: "At each quiet moment, events of each server reach all clients",
  activity: "Each join and leave is stored once",
  connections: "Connections stay open; a server without Redis may close its own with 4200",
  processes:
    "A server ends only when told to; without Redis or PostgreSQL, it does not start and says why",
  faults: "The fault test itself works",
} as const;

/** A promise that was not kept. */
export interface Violation {
  /** One of {@link promises}. */
  readonly promise: string;
  /** The same text for all that it happened to in the same way. */
  readonly text: string;
  /** What it happened to, such as a client. */
  readonly who?: string;
  /** What went on at that time. */
  readonly context?: string;
}

/** How long after the last violation of the same text a line is complete, in milliseconds. */
const gatheredForMs = 5_000;

/** How many of the affected are named. */
const named = 3;

/** A violation with all that it happened to. */
export interface GatheredViolation {
  /** Of the first, in milliseconds. */
  readonly at: number;
  readonly promise: string;
  readonly text: string;
}

interface Gathered extends Omit<Violation, "who"> {
  readonly at: number;
  lastAt: number;
  count: number;
  /** The first few, and one more if there are others. */
  readonly who: Set<string>;
}

/** Gathers violations that happen to many clients at once, so that each is one line. */
export class Violations {
  readonly #gathered = new Map<string, Gathered>();

  /** @param at in milliseconds */
  add(violation: Violation, at: number): void {
    const { context = "", promise, text, who } = violation;
    const key = `${promise}\n${text}`;
    let known = this.#gathered.get(key);
    if (!known) {
      known = { context, promise, text, at, lastAt: at, count: 0, who: new Set() };
      this.#gathered.set(key, known);
    }
    known.count++;
    known.lastAt = at;
    if (who !== undefined && known.who.size <= named) known.who.add(who);
  }

  /** The violations that are complete by a time; default: all. Each is taken once. */
  take(now = Infinity): GatheredViolation[] {
    const due = [...this.#gathered].filter(([, { lastAt }]) => lastAt + gatheredForMs <= now);
    return due.map(([key, { at, context, count, promise, text, who }]) => {
      this.#gathered.delete(key);
      const names = [...who].slice(0, named).join(", ");
      if (count === 1) {
        return { at, promise, text: `${text}${names ? `: ${names}` : ""}${context}` };
      }
      const more = who.size > named ? ", …" : "";
      const times = `${count} times${names ? ` (${names}${more})` : ""}`;
      return { at, promise, text: `${text}: ${times}${context}` };
    });
  }
}
