import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { newUnguessableId } from "../accounts/digest.ts";
import type { Database } from "../database/database.ts";
import type { Tables } from "../database/schema.ts";
import { type AlertMessage, alertMessageSchema } from "./alert_message.ts";
import { readable, storedJson } from "./alert_schemas.ts";
import type { Outcome } from "./receiver_kinds.ts";

/** A message to a receiver: on its way, or in the log of what became of it. */
export interface AlertDelivery {
  /** The same at each attempt, so that a receiver knows a repetition. */
  id: string;
  /** The id of the receiver; of emails, with the address after a `/`. */
  receiver: string;
  message: AlertMessage;
  /** When what it tells happened, in ms since 1970. */
  at: number;
  state: "waiting" | "delivered" | "failed";
  attempts: number;
  /** When it is tried next, in ms since 1970. */
  nextAt: number;
  /** Why the last attempt failed; null for none that did. */
  error: string | null;
}

/** The most deliveries that wait; beyond it, {@link giveUpOldest} gives up the oldest. */
export const mostWaiting = 1_000;

/** Deliveries that are kept after their end, for the log. */
const mostEnded = 200;

const rowSchema = z.object({
  id: z.string(),
  receiver: z.string(),
  message: storedJson(alertMessageSchema),
  at: z.number(),
  state: z.enum(["waiting", "delivered", "failed"]),
  attempts: z.number(),
  nextAt: z.number(),
  error: z.string().nullable(),
});

/** What came of a message that is not tried again. */
export interface EndedDelivery {
  receiver: string;
  state: "delivered" | "failed";
  error: string | null;
}

/** Adds a message to receivers, in the transaction of what it tells. */
export async function addDeliveries(
  transaction: Kysely<Tables>,
  receivers: readonly string[],
  message: AlertMessage,
): Promise<void> {
  await add(transaction, receivers.map((receiver) => newRow(receiver, message)));
}

/** Adds what has ended to the log, in a transaction. */
export async function addEndedDeliveries(
  transaction: Kysely<Tables>,
  ended: readonly EndedDelivery[],
  message: AlertMessage,
): Promise<void> {
  const rows = ended.map((one) => ({ ...newRow(one.receiver, message), ...one, attempts: 1 }));
  await add(transaction, rows);
}

function newRow(receiver: string, message: AlertMessage): Tables["alertDelivery"] {
  const { at } = message;
  return {
    id: newUnguessableId(),
    receiver,
    message: JSON.stringify(message),
    at,
    state: "waiting",
    attempts: 0,
    nextAt: at,
    error: null,
  };
}

async function add(
  transaction: Kysely<Tables>,
  rows: readonly Tables["alertDelivery"][],
): Promise<void> {
  if (rows.length === 0) return;
  await transaction.insertInto("alertDelivery").values(rows).execute();
  await limitEnded(transaction);
}

/** Gives up the oldest of more than {@link mostWaiting} deliveries, in a transaction. @returns how many */
export async function giveUpOldest(transaction: Kysely<Tables>): Promise<number> {
  const waiting = await idsAfter(transaction, ["waiting"], mostWaiting);
  if (waiting.length === 0) return 0;
  await transaction.updateTable("alertDelivery")
    .set({ state: "failed", error: "Too many messages were waiting." })
    .where("id", "in", waiting).execute();
  await limitEnded(transaction);
  return waiting.length;
}

async function limitEnded(transaction: Kysely<Tables>): Promise<void> {
  const ended = await idsAfter(transaction, ["delivered", "failed"], mostEnded);
  if (ended.length > 0) {
    await transaction.deleteFrom("alertDelivery").where("id", "in", ended).execute();
  }
}

/** The ids after the newest ones in some states. */
async function idsAfter(
  transaction: Kysely<Tables>,
  states: AlertDelivery["state"][],
  count: number,
): Promise<string[]> {
  const rows = await transaction.selectFrom("alertDelivery").select("id")
    .where("state", "in", states).orderBy("at", "desc").orderBy("id")
    .limit(500).offset(count).execute();
  return rows.map(({ id }) => id);
}

/** What a sender has to deliver next. */
export interface NextDeliveries {
  /** The delivery that waits longest, of each recipient. */
  deliveries: AlertDelivery[];
  /** How many were given up, as they cannot be read. */
  unreadable: number;
}

/** Reads the next delivery of each recipient, and gives up those that cannot be read. */
export async function nextDeliveries(queries: Kysely<Tables>): Promise<NextDeliveries> {
  let givenUp = 0;
  while (true) {
    const ordered = queries.selectFrom("alertDelivery").selectAll()
      .select(
        sql<number>`row_number() over (partition by "receiver" order by "at", "id")`.as("place"),
      )
      .where("state", "=", "waiting").as("ordered");
    const rows = await queries.selectFrom(ordered).selectAll().where("place", "=", 1)
      .orderBy("at").orderBy("id").execute();
    const deliveries = readable(rows, rowSchema);
    if (deliveries.length === rows.length) return { deliveries, unreadable: givenUp };
    const known = new Set(deliveries.map(({ id }) => id));
    const unreadable = rows.map(({ id }) => id).filter((id) => !known.has(id));
    await queries.updateTable("alertDelivery").where("id", "in", unreadable)
      .set({ state: "failed", error: "It could not be read." }).execute();
    givenUp += unreadable.length;
  }
}

/** How many deliveries wait. */
export async function countWaiting(queries: Kysely<Tables>): Promise<number> {
  const { count } = await queries.selectFrom("alertDelivery")
    .select(({ fn }) => fn.countAll().as("count")).where("state", "=", "waiting")
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The newest deliveries, for the log. */
export async function recentDeliveries(
  { queries }: Database,
  limit: number,
): Promise<AlertDelivery[]> {
  const rows = await queries.selectFrom("alertDelivery").selectAll()
    .orderBy("at", "desc").orderBy("id").limit(limit).execute();
  return readable(rows, rowSchema);
}

/**
 * The alert whose end a delivery tells, as the same recipient was told it; undefined where that is not known any
 * more.
 */
export async function beginningOf(
  { queries }: Database,
  { receiver, message }: AlertDelivery,
): Promise<string | undefined> {
  if (message.phase === "active" || message.test) return undefined;
  const rows = await queries.selectFrom("alertDelivery").selectAll()
    .where("receiver", "=", receiver).where("at", "<", message.at)
    .orderBy("at", "desc").orderBy("id").execute();
  const before = readable(rows, rowSchema)
    .find((row) => row.message.rule === message.rule && !row.message.test);
  return before?.message.phase === "active" ? before.id : undefined;
}

/** Stores what became of an attempt. */
export async function storeAttempt(
  transaction: Kysely<Tables>,
  { id, state, attempts, nextAt, error }: AlertDelivery,
): Promise<void> {
  await transaction.updateTable("alertDelivery").set({ state, attempts, nextAt, error })
    .where("id", "=", id).execute();
}

/** For how long a receiver that is away is tried, in ms. */
export const triedForMs = 24 * 3_600_000;

/** For how long a receiver is tried that refuses what it is sent, as an admin can mend it, in ms. */
export const refusedForMs = 3_600_000;

/** The longest wait between attempts that a receiver has not asked for, in ms. */
const longestBackoffMs = 300_000;

/** A delivery after an attempt. Pure. @param now in ms since 1970 */
export function afterAttempt(
  delivery: AlertDelivery,
  outcome: Outcome,
  now: number,
): AlertDelivery {
  const attempts = delivery.attempts + 1;
  if (outcome.state === "delivered") {
    return { ...delivery, attempts, state: "delivered", error: null };
  }
  const { isTemporary, reason, waitMs = 0 } = outcome;
  const backoffMs = Math.min(longestBackoffMs, 1_000 * 2 ** Math.min(attempts - 1, 20));
  const nextAt = now + Math.max(waitMs, backoffMs);
  const isOver = nextAt - delivery.at > (isTemporary ? triedForMs : refusedForMs);
  const failed = { ...delivery, attempts, nextAt, error: reason };
  return isOver ? { ...failed, state: "failed" } : failed;
}
