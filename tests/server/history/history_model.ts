import assert from "node:assert/strict";
import fc from "fast-check";
import type { Interval } from "@/server/history/minute_measure.ts";

/** A count that held from one time until before another; for no time when they are the same. */
interface Span {
  from: number;
  until: number;
  users: number;
  guests: number;
  connections: number;
}

/** What may happen: time passes, the counts change, the server is down for a time. */
export type Step =
  | { wait: number }
  | { users: number; guests: number; connections: number }
  | { down: number };

const milliseconds = fc.oneof(
  fc.constantFrom(0, 1, 59_999, 60_000, 15 * 60_000, 6 * 3_600_000),
  fc.nat(100_000),
  fc.nat(3_600_000),
);

/** Any counts, in which some, none or all of the users are guests. */
const counts = fc.record({ users: fc.nat(5), guests: fc.nat(5), connections: fc.nat(9) })
  .map((counts) => ({ ...counts, guests: Math.min(counts.guests, counts.users) }));

/** Any course of things. */
export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { arbitrary: fc.record({ wait: milliseconds }), weight: 4 },
    { arbitrary: counts, weight: 4 },
    { arbitrary: fc.record({ down: milliseconds }), weight: 1 },
  ),
  { maxLength: 40 },
);

/** What is expected, from a plain list of all that was ever true. */
export class Model {
  readonly spans: Span[] = [];
  now: number;

  /** The server starts, with no one online. */
  constructor(now: number) {
    this.now = now;
    this.change({ users: 0, guests: 0, connections: 0 });
  }

  change(counts: { users: number; guests: number; connections: number }): void {
    this.spans.push({ from: this.now, until: this.now, ...counts });
  }

  wait(milliseconds: number): void {
    this.now += milliseconds;
    this.spans.at(-1)!.until = this.now;
  }

  down(milliseconds: number): void {
    this.now += milliseconds;
    this.change({ users: 0, guests: 0, connections: 0 });
  }

  /** What was true within a time; null when the server was down for all of it. */
  within(startsAt: number, end: number): Interval | null {
    const spans = this.spans.filter(({ from, until }) =>
      from === until ? from >= startsAt && from < end : until > startsAt && from < end
    ).map((span) => ({
      ...span,
      from: Math.max(span.from, startsAt),
      until: Math.min(span.until, end),
    }));
    if (spans.length === 0) return null;
    const mostUsers = Math.max(...spans.map(({ users }) => users));
    const highest = spans.find(({ users }) => users === mostUsers)!;
    return {
      startsAt,
      mostUsers,
      mostUsersAt: highest.from,
      guestsAtMost: highest.guests,
      fewestUsers: Math.min(...spans.map(({ users }) => users)),
      lastUsers: spans.at(-1)!.users,
      lastAt: spans.at(-1)!.until,
      mostConnections: Math.max(...spans.map(({ connections }) => connections)),
      measuredMs: spans.reduce((sum, { from, until }) => sum + until - from, 0),
    };
  }

  /** Compares the points of a line. */
  assertLine(line: {
    intervalMs: number;
    points: { startsAt: number; measured: Interval | null }[];
  }): void {
    for (const { startsAt, measured } of line.points) {
      assert.deepEqual(measured, this.within(startsAt, startsAt + line.intervalMs));
    }
  }
}
