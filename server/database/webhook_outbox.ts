import { z } from "zod";
import { type Kysely, sql } from "kysely";
import type { Database } from "./database.ts";
import type { LeaderTerm } from "./leader_term.ts";
import type { Tables } from "./schema.ts";
import type { OutboxEvents, OutboxStore, StoredEvents } from "@/realtime/webhooks/webhooks.ts";

const about = {
  id: z.string(),
  appId: z.string(),
  webhook: z.string().nullable(),
  acceptedAt: z.number().int(),
  count: z.number().int().positive(),
};
const storedEvents = z.object({ ...about, bytes: z.number().int() });
const outboxEvents = z.object({ ...about, events: z.string() });

/** The engines limit the number of parameters of a statement. */
const rowsPerStatement = 500;

/** Stores the events that webhooks have not received yet. */
export class WebhookOutbox implements OutboxStore {
  readonly #database: Database;
  readonly #term: LeaderTerm | undefined;

  /** @param term in which one of several servers writes; absent: this one is the only one. */
  constructor(database: Database, term?: LeaderTerm) {
    this.#database = database;
    this.#term = term;
  }

  async list(): Promise<StoredEvents[]> {
    const rows = await this.#database.queries.selectFrom("undeliveredWebhook")
      .select(["id", "appId", "webhook", "acceptedAt", "count"])
      .select(sql<number>`octet_length(events)`.as("bytes")).execute();
    return rows.map((values) => storedEvents.parse(values));
  }

  async read(ids: readonly string[]): Promise<OutboxEvents[]> {
    const events: OutboxEvents[] = [];
    for (const some of chunks(ids)) {
      const rows = await this.#database.queries.selectFrom("undeliveredWebhook").selectAll()
        .where("id", "in", some).execute();
      for (const values of rows) events.push(outboxEvents.parse(values));
    }
    return events;
  }

  async write(added: readonly OutboxEvents[], removedIds: readonly string[]): Promise<boolean> {
    const change = async (transaction: Kysely<Tables>) => {
      await addUndelivered(transaction, added);
      for (const some of chunks(removedIds)) {
        await transaction.deleteFrom("undeliveredWebhook").where("id", "in", some).execute();
      }
      return true;
    };
    if (this.#term) return await this.#term.within(change) ?? false;
    return await this.#database.queries.transaction().execute(change);
  }
}

/** Adds events that webhooks have not received yet, once each. */
export async function addUndelivered(
  transaction: Kysely<Tables>,
  added: readonly OutboxEvents[],
): Promise<void> {
  for (const some of chunks(added)) {
    await transaction.insertInto("undeliveredWebhook").values(some)
      .onConflict((conflict) => conflict.column("id").doNothing()).execute();
  }
}

function* chunks<T>(all: readonly T[]): Iterable<T[]> {
  for (let start = 0; start < all.length; start += rowsPerStatement) {
    yield all.slice(start, start + rowsPerStatement);
  }
}
