import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { Tables } from "./schema.ts";

/** What a server last reported. The times are by the clock of the database, in ms. */
export interface ServerReport {
  id: string;
  /** Whether it reached Redis. */
  seesRedis: boolean;
  /** How old the report is. */
  ageMs: number;
  /** How long ago the first of the reports was that all say so. */
  forMs: number;
}

const reports = z.array(z.object({
  id: z.string(),
  seesRedis: z.boolean(),
  ageMs: z.number(),
  forMs: z.number(),
}));

/** How long the last report of a server that no longer reports is kept, in ms. */
const keptMs = 3_600_000;

const now = sql<number>`(extract(epoch from now()) * 1000)::bigint`;

/**
 * Whether the servers of an installation reach Redis, as each reports to their PostgreSQL database. All
 * methods throw when the database is unreachable.
 */
export class ServerReports {
  readonly #queries: Kysely<Tables>;
  readonly #id: string;

  /** @param id of this server; unique. */
  constructor(queries: Kysely<Tables>, id: string) {
    this.#queries = queries;
    this.#id = id;
  }

  /**
   * Stores whether this server reaches Redis.
   *
   * @param isChanged whether that began after its last report, even if that one says the same.
   */
  async report(seesRedis: boolean, isChanged: boolean): Promise<void> {
    await this.#queries.insertInto("server")
      .values({ id: this.#id, seenAt: now, seesRedis, since: now })
      .onConflict((conflict) =>
        conflict.column("id").doUpdateSet(({ ref }) => ({
          seenAt: ref("excluded.seenAt"),
          seesRedis: ref("excluded.seesRedis"),
          since: ref(isChanged ? "excluded.since" : "server.since"),
        }))
      )
      .execute();
  }

  /** The last report of each server, this one included. */
  async read(): Promise<ServerReport[]> {
    const rows = await this.#queries.selectFrom("server")
      .select(({ ref }) => [
        "id",
        "seesRedis",
        sql`${now} - ${ref("seenAt")}`.as("ageMs"),
        sql`${now} - ${ref("since")}`.as("forMs"),
      ])
      .execute();
    return reports.parse(rows);
  }

  /** This server reports no more. */
  async remove(): Promise<void> {
    await this.#queries.deleteFrom("server").where("id", "=", this.#id).execute();
  }

  /** Deletes the reports of servers that ended without {@link remove}, an hour after the last. */
  async deleteOld(): Promise<void> {
    await this.#queries.deleteFrom("server").where("seenAt", "<", sql<number>`${now} - ${keptMs}`)
      .execute();
  }
}
