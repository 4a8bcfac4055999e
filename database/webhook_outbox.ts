import { z } from "zod";
import type { Kysely } from "kysely";
import type { Database } from "./database.ts";
import type { LeadTurn } from "./lead_turn.ts";
import type { Tables } from "./schema.ts";
import type { OutboxEvents, OutboxStore } from "../realtime/webhooks/webhooks.ts";

const row = z.object({
  id: z.string(),
  appId: z.string(),
  webhook: z.string().nullable(),
  acceptedAt: z.number().int(),
  events: z.string(),
  count: z.number().int().positive(),
});

/** The engines limit the number of parameters of a statement. */
const rowsPerStatement = 500;

/** Stores the events that webhooks have not received yet. */
export class WebhookOutbox implements OutboxStore {
  readonly #database: Database;
  readonly #turn: LeadTurn | undefined;

  /** @param turn in which one of several servers writes; absent: this one is the only one. */
  constructor(database: Database, turn?: LeadTurn) {
    this.#database = database;
    this.#turn = turn;
  }

  async load(): Promise<OutboxEvents[]> {
    const rows = await this.#database.queries.selectFrom("undeliveredWebhook").selectAll()
      .execute();
    return rows.map((values) => row.parse(values));
  }

  async write(added: readonly OutboxEvents[], removedIds: readonly string[]): Promise<boolean> {
    const change = async (transaction: Kysely<Tables>) => {
      await addUndelivered(transaction, added);
      for (const some of chunks(removedIds)) {
        await transaction.deleteFrom("undeliveredWebhook").where("id", "in", some).execute();
      }
      return true;
    };
    if (this.#turn) return await this.#turn.within(change) ?? false;
    return await this.#database.queries.transaction().execute(change);
  }
}

/** Adds events to those that webhooks have not received yet, once each. */
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
