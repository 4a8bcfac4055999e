import assert from "node:assert/strict";
import fc from "fast-check";
import type { OpenedRoom, SharedState } from "../../../cluster/state/shared_state.ts";
import type { LogEntry } from "./memory_state.ts";

/** How long a lease is, in milliseconds of the histories' clock. */
export const leaseMs = 10_000;

/** The rooms of the histories; the app of the last one does not log it. */
export const rooms = ["a:presence-1", "a:presence-2", "b%3A1:presence-1", "a:unlogged"];
const apps = ["a", "a", "b:1", undefined];
const nodes = ["1.1", "1.2", "2.1", "3.1"];

/** One call of one node, or what happens to the server. */
export type Step =
  | { readonly call: "begin" | "beat" | "drop" | "lead" | "resign"; readonly node: string }
  | { readonly call: "exit"; readonly node: string; readonly afterMs: number }
  | {
    readonly call: "hold";
    readonly node: string;
    readonly room: number;
    readonly user: number;
    readonly max: number;
    readonly isRepeated: boolean;
  }
  | {
    readonly call: "release";
    readonly node: string;
    readonly room: number;
    readonly user: number;
    readonly inMs: number;
  }
  | {
    readonly call: "subscribers";
    readonly node: string;
    readonly room: number;
    readonly count: number;
    readonly isRepeated: boolean;
  }
  | { readonly call: "read"; readonly room: number }
  | { readonly call: "publish"; readonly room: number; readonly ttlMs: number }
  | { readonly call: "wait"; readonly micros: number }
  | { readonly call: "loseAll" | "changeServer" };

const node = fc.constantFrom(...nodes);
const room = fc.nat({ max: rooms.length - 1 });
const user = fc.nat({ max: 4 });
const isRepeated = fc.boolean();

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ call: fc.constant("begin" as const), node }) },
  { weight: 4, arbitrary: fc.record({ call: fc.constant("beat" as const), node }) },
  { weight: 3, arbitrary: fc.record({ call: fc.constant("drop" as const), node }) },
  {
    weight: 1,
    arbitrary: fc.record({ call: fc.constantFrom("lead" as const, "resign" as const), node }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      call: fc.constant("exit" as const),
      node,
      afterMs: fc.constantFrom(0, 5_000, 20_000),
    }),
  },
  {
    weight: 14,
    arbitrary: fc.record({
      call: fc.constant("hold" as const),
      node,
      room,
      user,
      max: fc.constantFrom(0, 0, 1, 3),
      isRepeated,
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      call: fc.constant("release" as const),
      node,
      room,
      user,
      inMs: fc.constantFrom(-1, 0, 1_000),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      call: fc.constant("subscribers" as const),
      node,
      room,
      count: fc.nat({ max: 2 }),
      isRepeated,
    }),
  },
  { weight: 2, arbitrary: fc.record({ call: fc.constant("read" as const), room }) },
  {
    weight: 1,
    arbitrary: fc.record({
      call: fc.constant("publish" as const),
      room,
      ttlMs: fc.constantFrom(0, 60_000),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      call: fc.constant("wait" as const),
      micros: fc.constantFrom(1, 700, 1_000_000, 4_000_000, 11_000_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      call: fc.constantFrom("loseAll" as const, "changeServer" as const),
    }),
  },
);

/** Random histories of several nodes. All nodes but the last begin at their start. */
export const histories: fc.Arbitrary<Step[]> = fc.array(step, { maxLength: 60, size: "max" })
  .map((steps) => [
    ...nodes.slice(0, -1).map((node) => ({ call: "begin" as const, node })),
    ...steps,
  ]);

/** What a step does to a state, apart from the waits and losses. @returns the answer, or the error's text. */
export async function answerOf(state: SharedState, step: Step, nowMs: number): Promise<unknown> {
  try {
    return await call(state, step, nowMs);
  } catch (error) {
    return (error as Error).message;
  }
}

async function call(state: SharedState, step: Step, nowMs: number): Promise<unknown> {
  switch (step.call) {
    case "begin":
    case "beat":
      return await state[step.call](step.node, `{"node":"${step.node}"}`);
    case "drop":
    case "resign":
      return await state[step.call](step.node);
    case "lead":
      return await state.lead(step.node, 5_000);
    case "exit":
      return await state.exit(step.node, step.afterMs);
    case "hold": {
      const { node, max, isRepeated } = step;
      const place = { room: rooms[step.room], app: apps[step.room], userId: `u${step.user}` };
      const member = JSON.stringify({ user_id: place.userId, user_info: { by: node } });
      const isGuest = step.user > 2;
      return await state.hold(node, { ...place, member, isGuest, max, isRepeated });
    }
    case "release": {
      const place = { room: rooms[step.room], app: apps[step.room], userId: `u${step.user}` };
      return await state.release(step.node, {
        ...place,
        reason: "left",
        deadline: nowMs + step.inMs,
      });
    }
    case "subscribers": {
      const { node, room, count, isRepeated } = step;
      return await state.subscribers(node, rooms[room], count, apps[room], isRepeated);
    }
    case "read":
      return await state.read(rooms[step.room]);
    case "publish": {
      const cached = step.ttlMs > 0 ? { text: "kept", ttlMs: step.ttlMs } : undefined;
      return await state.publish(rooms[step.room], '{"v":1,"t":"frame"}\nframe', cached);
    }
    default:
      return undefined;
  }
}

/** A message, taken apart. */
export interface Message {
  readonly room: string;
  readonly t: string;
  readonly p?: number;
  readonly n?: number;
  readonly u?: string;
  readonly r?: string;
  readonly body?: string;
}

/** Reads a message as nodes receive it. */
export function messageOf(room: string, text: string): Message {
  const feed = text.indexOf("\n");
  const header = JSON.parse(feed < 0 ? text : text.slice(0, feed));
  return { room, ...header, ...(feed >= 0 && { body: text.slice(feed + 1) }) };
}

/**
 * The truth of who is held, kept from the answers alone; and a list of each room, kept from the messages
 * alone. They are compared with what the state says.
 */
export class Witness {
  readonly #leases = new Map<string, { till: number; isExit: boolean }>();
  readonly #held = new Map<string, Set<string>>();
  readonly #lists = new Map<string, Map<string, string>>();
  readonly #versions = new Map<string, number>();

  /** Follows a step. */
  follow(step: Step, answer: unknown, nowMs: number): void {
    switch (step.call) {
      case "loseAll":
        for (const map of [this.#leases, this.#held, this.#lists, this.#versions]) map.clear();
        return;
      case "begin":
      case "beat": {
        if (typeof answer === "string") return;
        const lease = this.#leases.get(step.node);
        if (!lease?.isExit) this.#leases.set(step.node, { till: nowMs + leaseMs, isExit: false });
        return;
      }
      case "exit": {
        const lease = this.#leases.get(step.node);
        if (!lease || lease.till <= nowMs) return;
        this.#leases.set(step.node, {
          till: Math.min(lease.till, nowMs + step.afterMs),
          isExit: true,
        });
        return;
      }
      case "drop":
        if (this.#isValid(step.node, nowMs)) return;
        assert.equal(answer, false, "few holds are dropped in one step");
        this.#leases.delete(step.node);
        for (const holders of this.#held.values()) holders.delete(step.node);
        return;
      case "hold": {
        const isLost = !this.#isValid(step.node, nowMs);
        assert.equal(answer === "lost", isLost, "exactly a valid lease can hold");
        if (answer !== "held") return;
        const holders = this.#holders(rooms[step.room], `u${step.user}`);
        assert.ok(!holders.has(step.node), "what is held already is not held");
        holders.add(step.node);
        return;
      }
      case "release":
        if (answer !== "released") return;
        assert.ok(this.#holders(rooms[step.room], `u${step.user}`).delete(step.node));
        return;
    }
  }

  /** Receives the messages of a step. */
  receive(messages: readonly Message[]): void {
    for (const { room, t, p, n, u, body } of messages) {
      if (t !== "added" && t !== "removed") continue;
      assert.equal(p, this.#versions.get(room) ?? p, "each change names its predecessor");
      assert.ok(n! > p!, "versions rise");
      this.#versions.set(room, n!);
      const list = this.#list(room);
      assert.equal(list.has(u!), t === "removed", "a message is a change");
      if (t === "added") list.set(u!, body!);
      else list.delete(u!);
    }
  }

  /**
   * Compares a step's entries of the log with its messages.
   *
   * @param isQuietPossible whether the step may be no join although it is a change.
   */
  checkLog(log: readonly LogEntry[], messages: readonly Message[], isQuietPossible: boolean): void {
    const changes = messages.filter(({ room, t }) =>
      (t === "added" || t === "removed") && apps[rooms.indexOf(room)] !== undefined
    );
    const entries = log.filter(({ name }) => name.startsWith("member_"));
    if (isQuietPossible && entries.length === 0) return;
    assert.deepEqual(
      entries.map(({ name, channel, user }) => ({ name, channel, user })),
      changes.map(({ t, room, u: user }) => {
        return { name: `member_${t}`, channel: room.slice(room.indexOf(":") + 1), user };
      }),
      "each change is one entry of the log, in the same order",
    );
  }

  /** Compares rooms with the truth and with the lists. */
  checkRooms(opened: ReadonlyMap<string, OpenedRoom>): void {
    for (const [room, { members, version }] of opened) {
      const held = [...this.#held].filter(([key, holders]) =>
        key.startsWith(`${room} `) && holders.size > 0
      ).map(([key]) => key.slice(room.length + 1));
      assert.deepEqual([...members.keys()].sort(), held.sort(), "members are who is held");
      assert.deepEqual(new Map([...members].sort()), new Map([...this.#list(room)].sort()));
      assert.equal(
        version,
        this.#versions.get(room) ?? version,
        "the version is the last one sent",
      );
      this.#versions.set(room, version);
    }
  }

  /** How many nodes hold a user. */
  holdersOf(room: string, userId: string): number {
    return this.#holders(room, userId).size;
  }

  #isValid(node: string, nowMs: number): boolean {
    return (this.#leases.get(node)?.till ?? 0) > nowMs;
  }

  #holders(room: string, userId: string): Set<string> {
    const key = `${room} ${userId}`;
    const holders = this.#held.get(key) ?? new Set();
    this.#held.set(key, holders);
    return holders;
  }

  #list(room: string): Map<string, string> {
    const list = this.#lists.get(room) ?? new Map();
    this.#lists.set(room, list);
    return list;
  }
}
