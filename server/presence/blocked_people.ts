/**
 * People of operators' own apps whom an admin has blocked, each in one app: a connection that joins a presence
 * channel or signs in with the id is closed with 4009 and the reason, as a client does not connect again then.
 *
 * All are in memory, so that a join asks no database. A change is stored first, with its entry in the admin log;
 * then it holds here, which closes the person's connections in the same step; then the other servers read the
 * list again, and close theirs, before the change is answered. A server that was cut off, or starts, reads the
 * list too: what it has missed closes connections then.
 *
 * The promises: from the answer on, the person has no connection that is known to be theirs, at any server that
 * can be reached. The trade-off: an id is blocked, not a browser, so a connection that names no user, such as
 * one with public and private channels only, stays open.
 *
 * @module
 */
import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { InTransaction, Tables } from "../database/schema.ts";
import { storedText } from "../database/stored_setting.ts";
import { maxUserIdLength, unprintable } from "@/realtime/protocol/member.ts";
import { closings } from "@/shared/close_reasons.ts";
import { longestBlockReason, longestName, mostBlockedPeople } from "@/shared/limits.ts";

/** A person of an app whom an admin has blocked. */
export type BlockedPerson = Tables["blockedPerson"];

const rowSchema = z.object({
  appId: z.string(),
  userId: z.string(),
  name: z.string(),
  reason: z.string(),
  blockedAt: z.number(),
  blockedBy: z.string(),
});

/** A reason as an admin enters it, as one line. */
export const blockReasonSchema = z.string()
  .transform((text) => text.replaceAll(unprintable, " ").trim())
  .pipe(z.string().max(longestBlockReason, `At most ${longestBlockReason} characters.`));

/** What a change does besides the database and the memory of this server. */
interface Effects {
  /** Closes the connections of a person to this server. */
  close(appId: string, userId: string, reason: string): void;
  /** Has the other servers read what was stored; resolves when they have. */
  stored(): Promise<void>;
}

/** The blocked people of all apps. None is known before {@link reload}. */
export class BlockedPeople {
  readonly #database: Database;
  readonly #effects: Effects;
  /** What each person is told, by the ids of app and person. */
  #reasons = new Map<string, Map<string, string>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(database: Database, effects: Effects) {
    this.#database = database;
    this.#effects = effects;
  }

  /** What a person is told who is blocked in an app; undefined for everyone else. */
  reasonOf(appId: string, userId: string): string | undefined {
    return this.#reasons.get(appId)?.get(storedText(userId, maxUserIdLength));
  }

  /** How many are blocked, in all apps. */
  get size(): number {
    return this.#reasons.values().reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Blocks a person, or changes the reason.
   *
   * @returns false when the app has as many blocked people as allowed; then nothing has changed.
   */
  async block(
    person: BlockedPerson,
    inTransaction: InTransaction<BlockedPerson>,
  ): Promise<boolean> {
    const row = {
      ...person,
      userId: storedText(person.userId, maxUserIdLength),
      name: storedText(person.name, longestName),
      reason: storedText(person.reason, longestBlockReason),
    };
    const isBlocked = await this.#serialize(async () => {
      const isStored = await this.#database.exclusively(async (transaction) => {
        const { appId, userId, name, reason, blockedAt, blockedBy } = row;
        const { others } = await transaction.selectFrom("blockedPerson")
          .select((of) => of.fn.countAll<number>().as("others"))
          .where("appId", "=", appId).where("userId", "!=", userId).executeTakeFirstOrThrow();
        if (Number(others) >= mostBlockedPeople) return false;
        await inTransaction(transaction, row);
        await transaction.insertInto("blockedPerson").values(row).onConflict((conflict) =>
          conflict.columns(["appId", "userId"])
            .doUpdateSet({ name, reason, blockedAt, blockedBy })
        ).execute();
        return true;
      });
      if (isStored) this.#keep(row);
      return isStored;
    });
    if (isBlocked) await this.#effects.stored();
    return isBlocked;
  }

  /** Lets a person join again. @returns whether the person was blocked. */
  async unblock(
    appId: string,
    userId: string,
    inTransaction: InTransaction<BlockedPerson>,
  ): Promise<boolean> {
    const id = storedText(userId, maxUserIdLength);
    const wasBlocked = await this.#serialize(async () => {
      const person = await this.#database.exclusively(async (transaction) => {
        const row = await transaction.deleteFrom("blockedPerson")
          .where("appId", "=", appId).where("userId", "=", id).returningAll().executeTakeFirst();
        const unblocked = row && rowSchema.parse(row);
        if (unblocked) await inTransaction(transaction, unblocked);
        return unblocked;
      });
      this.#reasons.get(appId)?.delete(id);
      return person !== undefined;
    });
    if (wasBlocked) await this.#effects.stored();
    return wasBlocked;
  }

  /** The people who were blocked last, newest first. */
  async list(limit: number, userId?: string): Promise<BlockedPerson[]> {
    let query = this.#database.queries.selectFrom("blockedPerson").selectAll();
    if (userId !== undefined) {
      query = query.where("userId", "=", storedText(userId, maxUserIdLength));
    }
    const rows = await query.orderBy("blockedAt", "desc").orderBy("appId").orderBy("userId")
      .limit(limit).execute();
    return rows.map((row) => rowSchema.parse(row));
  }

  /** Reads what is stored, and closes the connections of those who were not blocked before. @throws {Error} */
  reload(): Promise<void> {
    return this.#serialize(async () => {
      const rows = await this.#database.queries.selectFrom("blockedPerson").selectAll().execute();
      const before = this.#reasons;
      this.#reasons = new Map();
      for (const row of rows) {
        const person = rowSchema.parse(row);
        this.#keep(person, before.get(person.appId)?.has(person.userId));
      }
    });
  }

  /** Refuses a person from now on, and closes what they have open. */
  #keep({ appId, userId, reason }: BlockedPerson, isKnown = false): void {
    const told = reason || closings.blocked.reason;
    const reasons = this.#reasons.get(appId) ?? new Map<string, string>();
    this.#reasons.set(appId, reasons.set(userId, told));
    if (!isKnown) this.#effects.close(appId, userId, told);
  }

  /** One change or reading after the other: each knows what the one before it has stored. */
  #serialize<Value>(work: () => Promise<Value>): Promise<Value> {
    const last = this.#last.then(work, work);
    this.#last = last.catch(() => {});
    return last;
  }
}
