import { z } from "zod";
import type { MemoryState } from "../state/memory/memory_state.ts";
import type { Lines, Topics } from "./lines.ts";
import type { MemoryLog } from "./coordinator.ts";

const text = z.string();
const texts = z.array(text);
const milliseconds = z.number();

/** JSON has no undefined. */
function optional<Value>(schema: z.ZodType<Value>) {
  return schema.nullish().transform((value) => value ?? undefined);
}

const heartbeat = z.object({
  now: z.number(),
  beganAt: z.number(),
  nodes: texts,
  expired: texts,
  exited: texts,
});
const lost = z.literal("lost");
const done = z.null();
/** Texts by id, as JSON has them. */
const pairs = z.array(z.tuple([text, text]));
const cached = z.object({ text, ttlMs: milliseconds });

const claimedUser = z.object({
  room: text,
  userId: text,
  member: text,
  isGuest: z.boolean(),
  max: z.int(),
  maxFull: z.int().optional(),
  app: text.optional(),
  isRepeated: z.boolean(),
});
const releasedUser = z.object({
  room: text,
  userId: text,
  app: text.optional(),
  reason: text,
  deadline: milliseconds,
});
const updatedMember = z.object({
  room: text,
  userId: text,
  before: text.optional(),
  member: text,
  app: text.optional(),
});
const opened = z.object({
  version: z.number(),
  isSettled: z.boolean(),
  beganAt: z.number(),
  members: pairs,
  isLarge: z.literal(true).optional(),
  cached: cached.optional(),
  subscribers: z.int(),
});
const logPart = z.object({
  isNew: z.boolean(),
  began: text,
  lines: z.array(z.tuple([text, texts.nullable()])),
});

/**
 * What servers ask their coordinator: what is given to each call, and what it answers. The names are the
 * methods of the shared state; topics and the log have names of their own.
 */
export const calls = {
  begin: { given: z.tuple([text, text]), answer: heartbeat },
  heartbeat: { given: z.tuple([text, text]), answer: z.union([lost, heartbeat]) },
  exit: { given: z.tuple([text, milliseconds]), answer: done },
  drop: { given: z.tuple([text]), answer: z.boolean() },
  claim: {
    given: z.tuple([text, claimedUser]),
    answer: z.enum(["held", "already", "full", "full_members", "lost"]),
  },
  release: {
    given: z.tuple([text, releasedUser]),
    answer: z.enum(["released", "not_held", "late", "lost"]),
  },
  update: {
    given: z.tuple([updatedMember]),
    answer: z.enum(["updated", "changed", "absent", "late"]),
  },
  read: { given: z.tuple([text]), answer: opened },
  scan: { given: z.tuple([text, text]), answer: z.object({ cursor: text, members: pairs }) },
  members: { given: z.tuple([text, texts]), answer: texts },
  cached: { given: z.tuple([text]), answer: cached.nullable() },
  subscribers: {
    given: z.tuple([text, text, z.int(), optional(text), optional(z.boolean())]),
    answer: z.union([lost, z.int()]),
  },
  publish: {
    given: z.tuple([text, text, optional(cached.extend({ maxBytes: z.number() }))]),
    answer: done,
  },
  occupied: { given: z.tuple([text]), answer: texts },
  sizes: {
    given: z.tuple([texts]),
    answer: z.array(z.object({ members: z.int(), subscribers: z.int() })),
  },
  totals: { given: z.tuple([]), answer: pairs },
  lead: { given: z.tuple([text, milliseconds]), answer: z.boolean() },
  resign: { given: z.tuple([text]), answer: done },
  subscribeTo: { given: z.tuple([texts]), answer: done },
  unsubscribeFrom: { given: z.tuple([text]), answer: done },
  send: { given: z.tuple([text, text]), answer: z.int() },
  append: { given: z.tuple([texts]), answer: done },
  readLog: {
    given: z.tuple([text, text, z.int()]),
    answer: z.union([z.literal("not_leading"), logPart]),
  },
  acknowledge: { given: z.tuple([texts]), answer: done },
  ping: { given: z.tuple([]), answer: done },
} as const;

/** The name of a call. */
export type CallName = keyof typeof calls;

/** What is given to a call. */
export type Given<Name extends CallName> = z.output<(typeof calls)[Name]["given"]>;

/** What a call answers. */
export type Answer<Name extends CallName> = z.output<(typeof calls)[Name]["answer"]>;

/** What carries out calls: each at once, so that it begins and ends between two others. */
export type Carrier = {
  [Name in CallName]: (...given: Given<Name>) => Promise<Fixed<Answer<Name>>>;
};

/** A value of which nothing is changed. */
type Fixed<Value> = { readonly [Key in keyof Value]: Fixed<Value[Key]> };

/** A call, as it is sent: its number, by which the answer is known, its name and what is given. */
export const request = z.tuple([
  z.int(),
  z.enum(Object.keys(calls) as [CallName]),
  z.array(z.unknown()),
]);

/** What a server is sent besides messages of topics: an answer, or instead of one what went wrong. */
export const reply = z.union([
  z.tuple([z.int(), z.unknown()]),
  z.tuple([z.int(), z.null(), text]),
]);

/** What a coordinator has. */
export interface CoordinatorParts {
  readonly state: MemoryState;
  readonly log: MemoryLog;
  readonly topics: Topics;
}

/** Carries out the calls of one connection. */
export function carrierFor(lines: Lines, { log, state, topics }: CoordinatorParts): Carrier {
  return {
    begin: (node, totals) => state.begin(node, totals),
    heartbeat: (node, totals) => state.heartbeat(node, totals),
    exit: (node, afterMs) => nothing(state.exit(node, afterMs)),
    drop: (node) => state.drop(node),
    claim: (node, user) => state.claim(node, user),
    release: (node, user) => state.release(node, user),
    update: (member) => state.update(member),
    async read(room) {
      const opened = await state.read(room);
      return { ...opened, members: [...opened.members] };
    },
    async scan(room, cursor) {
      const scanned = await state.scan(room, cursor);
      return { cursor: scanned.cursor, members: [...scanned.members] };
    },
    members: (room, userIds) => state.members(room, userIds),
    cached: async (room) => await state.cached(room) ?? null,
    subscribers: (...given) => state.subscribers(...given),
    publish: (room, message, cached) => nothing(state.publish(room, message, cached)),
    occupied: (app) => state.occupied(app),
    sizes: (rooms) => state.sizes(rooms),
    totals: async () => [...await state.totals()],
    lead: (node, ms) => state.lead(node, ms),
    resign: (node) => nothing(state.resign(node)),
    subscribeTo: (names) => nothing(topics.subscribe(lines, names)),
    unsubscribeFrom: (topic) => nothing(topics.unsubscribe(lines, topic)),
    send: (topic, message) => Promise.resolve(topics.publish(topic, message)),
    append: (fields) => nothing(log.append(fields)),
    readLog(node, after, count) {
      if (state.leader !== node) return Promise.resolve("not_leading" as const);
      return Promise.resolve({ ...log.read(after, count), began: String(state.beganAt) });
    },
    acknowledge: (ids) => nothing(log.acknowledge(ids)),
    ping: () => nothing(undefined),
  };
}

async function nothing(work: Promise<void> | void): Promise<null> {
  await work;
  return null;
}
