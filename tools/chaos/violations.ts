import type { Violation } from "./truth/promises.ts";

/** For how long violations of the same text are gathered, in milliseconds. */
const gatheredForMs = 1_000;

/** How many of those that it happened to are named. */
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
  count: number;
  /** The first few. */
  readonly who: Set<string>;
}

/** Gathers violations that happen to many clients at once, so that each is one line. */
export class Violations {
  readonly #gathered = new Map<string, Gathered>();

  /** @param at in milliseconds */
  add(violation: Violation, at: number): void {
    const { promise, text, who } = violation;
    const key = `${promise}\n${text}`;
    let known = this.#gathered.get(key);
    if (!known) {
      known = { promise, text, at, count: 0, who: new Set() };
      this.#gathered.set(key, known);
    }
    known.count++;
    if (who !== undefined && known.who.size <= named) known.who.add(who);
  }

  /** Those that are complete by a time; default: all. Each is taken once. */
  take(now = Infinity): GatheredViolation[] {
    const due = [...this.#gathered].filter(([, { at }]) => at + gatheredForMs <= now);
    return due.map(([key, { at, count, promise, text, who }]) => {
      this.#gathered.delete(key);
      const names = [...who].slice(0, named).join(", ");
      if (count === 1) return { at, promise, text: names ? `${text}: ${names}` : text };
      return { at, promise, text: `${text}: ${count} times${names ? ` (${names}, …)` : ""}` };
    });
  }
}
