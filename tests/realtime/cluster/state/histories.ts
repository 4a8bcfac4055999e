import fc from "fast-check";
import type { SharedState } from "@/realtime/cluster/state/shared_state.ts";

/** How long a lease is, in milliseconds of the histories' clock. */
export const leaseMs = 10_000;

/** The rooms of the histories; the app of the last one does not log it. */
export const rooms = ["a:presence-1", "a:presence-2", "b%3A1:presence-1", "a:unlogged"];
/** The app of each room. */
export const apps = ["a", "a", "b:1", undefined];
/** The app that a room's subscribers occupy, which may be only watched. */
const subscribersApps = ["a", undefined, "b:1", undefined];
const nodes = ["1.1", "1.2", "2.1", "3.1"];

/** One call of one node, or what happens to the server. */
export type Step =
  | { readonly call: "begin" | "heartbeat" | "drop" | "lead" | "resign"; readonly node: string }
  | { readonly call: "exit"; readonly node: string; readonly afterMs: number }
  | {
    readonly call: "claim";
    readonly node: string;
    readonly room: number;
    readonly user: number;
    readonly max: number;
    readonly maxFull: number | undefined;
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
  | {
    readonly call: "update";
    readonly room: number;
    readonly user: number;
    /** What the caller read: nothing, what is there, or what was there once. */
    readonly read: "none" | "present" | "former";
    readonly isReported: boolean;
    readonly text: string;
  }
  | { readonly call: "read"; readonly room: number }
  | {
    readonly call: "publish";
    readonly room: number;
    readonly ttlMs: number;
    readonly text: string;
    readonly maxBytes: number;
  }
  | { readonly call: "wait"; readonly micros: number }
  | { readonly call: "loseAll" | "changeServer" };

const node = fc.constantFrom(...nodes);
const room = fc.nat({ max: rooms.length - 1 });
const user = fc.nat({ max: 4 });
const isRepeated = fc.boolean();

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ call: fc.constant("begin" as const), node }) },
  { weight: 4, arbitrary: fc.record({ call: fc.constant("heartbeat" as const), node }) },
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
      call: fc.constant("claim" as const),
      node,
      room,
      user,
      max: fc.constantFrom(0, 0, 1, 3),
      maxFull: fc.constantFrom(undefined, 0, 1, 2),
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
  {
    weight: 5,
    arbitrary: fc.record({
      call: fc.constant("update" as const),
      room,
      user,
      read: fc.constantFrom(
        "none" as const,
        "present" as const,
        "present" as const,
        "former" as const,
      ),
      isReported: fc.boolean(),
      text: fc.constantFrom('{"n":1}', '{"n":2}', '"längst"'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ call: fc.constant("read" as const), room }) },
  {
    weight: 1,
    arbitrary: fc.record({
      call: fc.constant("publish" as const),
      room,
      ttlMs: fc.constantFrom(0, 60_000),
      text: fc.constantFrom("", "kept", "längst"),
      maxBytes: fc.constantFrom(0, 6, 7, 11, 1_000),
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

const running = nodes.slice(0, -1);
const begins: Step[] = running.map((node) => ({ call: "begin", node }));

/** Heartbeats for longer than a lease, of which none is late: before that no one leaves. */
const settling: Step[] = Array.from({ length: 4 }, (): Step[] => [
  { call: "wait", micros: 3_000_000 },
  ...running.map((node): Step => ({ call: "heartbeat", node })),
]).flat();

/** Random histories of several nodes. All but the last begin at the start; in half, the data are settled. */
export const histories: fc.Arbitrary<Step[]> = fc.tuple(
  fc.boolean(),
  fc.array(step, { maxLength: 60, size: "max" }),
).map(([isSettled, steps]) => [...begins, ...(isSettled ? settling : []), ...steps]);

/** A history of leadership, which random ones seldom have. */
export const leaderHistory: Step[] = [
  { call: "lead", node: "1.1" },
  { call: "begin", node: "1.1" },
  { call: "begin", node: "2.1" },
  { call: "lead", node: "1.1" },
  { call: "lead", node: "2.1" },
  { call: "wait", micros: 4_999_000 },
  { call: "lead", node: "2.1" },
  { call: "lead", node: "1.1" },
  { call: "wait", micros: 4_999_000 },
  { call: "lead", node: "2.1" },
  { call: "heartbeat", node: "2.1" },
  { call: "wait", micros: 1_000 },
  { call: "lead", node: "2.1" },
  { call: "resign", node: "1.1" },
  { call: "lead", node: "1.1" },
  { call: "resign", node: "2.1" },
  { call: "heartbeat", node: "1.1" },
  { call: "begin", node: "3.1" },
  { call: "lead", node: "3.1" },
];

/** Whether a change by the step may be in no log. */
export function isUnlogged(step: Step): boolean {
  return step.call === "claim" && step.isRepeated || step.call === "update" && !step.isReported;
}

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
    case "heartbeat":
      return await state[step.call](step.node, `{"node":"${step.node}"}`);
    case "drop":
    case "resign":
      return await state[step.call](step.node);
    case "lead":
      return await state.lead(step.node, 5_000);
    case "exit":
      return await state.exit(step.node, step.afterMs);
    case "claim": {
      const { node, max, maxFull, isRepeated } = step;
      const place = { room: rooms[step.room], app: apps[step.room], userId: `u${step.user}` };
      const member = JSON.stringify({ user_id: place.userId, user_info: { by: node } });
      const isGuest = step.user > 2;
      return await state.claim(node, { ...place, member, isGuest, max, maxFull, isRepeated });
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
      return await state.subscribers(node, rooms[room], count, subscribersApps[room], isRepeated);
    }
    case "update": {
      const { isReported, read, text: member } = step;
      const [room, userId] = [rooms[step.room], `u${step.user}`];
      const [present] = await state.members(room, [userId]);
      const before = read === "present" ? present : read === "former" ? '{"n":0}' : undefined;
      const app = isReported ? apps[step.room] : undefined;
      return await state.update({ room, userId, before, member, app });
    }
    case "read":
      return await state.read(rooms[step.room]);
    case "publish": {
      const { room, ttlMs, text, maxBytes } = step;
      const cached = ttlMs > 0 ? { text, ttlMs, maxBytes } : undefined;
      return await state.publish(rooms[room], '{"v":1,"t":"frame"}\nframe', cached);
    }
    default:
      return undefined;
  }
}
