import { z } from "zod";
import type { Database } from "./database.ts";
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

  constructor(database: Database) {
    this.#database = database;
  }

  async load(): Promise<OutboxEvents[]> {
    const rows = await this.#database.queries.selectFrom("undeliveredWebhook").selectAll()
      .execute();
    return rows.map((values) => row.parse(values));
  }

  async write(added: readonly OutboxEvents[], removedIds: readonly string[]): Promise<void> {
    await this.#database.queries.transaction().execute(async (transaction) => {
      for (const some of chunks(added)) {
        await transaction.insertInto("undeliveredWebhook").values(some)
          .onConflict((conflict) => conflict.column("id").doNothing()).execute();
      }
      for (const some of chunks(removedIds)) {
        await transaction.deleteFrom("undeliveredWebhook").where("id", "in", some).execute();
      }
    });
  }
}

function* chunks<T>(all: readonly T[]): Iterable<T[]> {
  for (let start = 0; start < all.length; start += rowsPerStatement) {
    yield all.slice(start, start + rowsPerStatement);
  }
}
