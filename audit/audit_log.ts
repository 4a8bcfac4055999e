import type { Kysely } from "kysely";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { Tables } from "../database/schema.ts";
import { type AuditDetails, auditDetailsSchema } from "./audit_details.ts";
import { isAfter, type Page, pageLength, pageOf, readCursor } from "../database/cursor.ts";
import { storedText } from "../database/stored_text.ts";
import type { Named } from "../shared/audit.ts";

/** Everything that is written to the log. Append; entries of a removed one could not be read. */
export const auditActions = [
  "user_added",
  "role_changed",
  "password_reset",
  "user_disabled",
  "user_enabled",
  "member_removed",
  "guest_blocked",
  "guest_unblocked",
  "message_sent",
  "message_sent_to_all",
  "alert_changed",
  "wallboard_link_created",
  "wallboard_link_revoked",
  "attendance_exported",
] as const;

/** What was done. */
export type AuditAction = typeof auditActions[number];

/** Who did what to whom, and when. */
export interface AuditEntry {
  /** In ms since 1970. */
  at: number;
  actor: Named;
  action: AuditAction;
  /** Null for an action on nobody in particular. */
  target: Named | null;
  details: AuditDetails;
}

/** Which entries are asked for: those that all of this is true of. */
export interface AuditFilter {
  actorId?: string;
  action?: AuditAction;
  targetId?: string;
}

const longestId = 128;
const longestName = 100;

/** The actors whom a filter offers. */
const mostActors = 200;

const rowSchema = z.object({
  number: z.number(),
  at: z.number(),
  actorId: z.string(),
  actorName: z.string(),
  action: z.enum(auditActions),
  targetId: z.string().nullable(),
  targetName: z.string().nullable(),
  details: z.string().transform((text) => auditDetailsSchema.parse(JSON.parse(text))),
});

const namedSchema = z.object({ id: z.string(), name: z.string() });

/** What admins did. It is only added to: nothing here changes or deletes an entry. */
export class AuditLog {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Adds an entry. Long names and texts are cut, so that a message is not kept whole.
   *
   * @param queries the transaction that the entry belongs to, if it is to be kept only with it.
   * @throws {Error} when it cannot be stored, or when its details are named like secrets or too many.
   */
  async append(
    { at, actor, action, target, details }: AuditEntry,
    queries: Kysely<Tables> = this.#database.queries,
  ): Promise<void> {
    await queries.insertInto("auditEntry").values({
      at,
      actorId: storedText(actor.id, longestId),
      actorName: storedText(actor.name, longestName),
      action,
      targetId: target && storedText(target.id, longestId),
      targetName: target && storedText(target.name, longestName),
      details: JSON.stringify(auditDetailsSchema.parse(details)),
    }).execute();
  }

  /**
   * A page of the log, newest first.
   *
   * @param before what the page before answered as `next`; anything else begins with the newest.
   * @param limit entries of the page, at most 1,000.
   */
  async read(
    { before, limit, ...filter }: AuditFilter & { before?: string; limit: number },
  ): Promise<Page<AuditEntry>> {
    const length = pageLength(limit);
    const cursor = readCursor(before);
    let query = this.#database.queries.selectFrom("auditEntry").selectAll();
    if (filter.actorId !== undefined) {
      query = query.where("actorId", "=", storedText(filter.actorId, longestId));
    }
    if (filter.action !== undefined) query = query.where("action", "=", filter.action);
    if (filter.targetId !== undefined) {
      query = query.where("targetId", "=", storedText(filter.targetId, longestId));
    }
    if (cursor) query = query.where(isAfter(cursor));
    const rows = await query.orderBy("at", "desc").orderBy("number", "desc").limit(length + 1)
      .execute();
    return pageOf(rows.map((row) => rowSchema.parse(row)), length, entryOf);
  }

  /** Those who did something, by the name of their last entry; the last 200 to act, newest first. */
  async actors(): Promise<Named[]> {
    const { queries } = this.#database;
    const last = queries.selectFrom("auditEntry").select((of) => of.fn.max("number").as("number"))
      .groupBy("actorId");
    const rows = await queries.selectFrom("auditEntry")
      .select(["actorId as id", "actorName as name"])
      .where("number", "in", last).orderBy("number", "desc").limit(mostActors).execute();
    return rows.map((row) => namedSchema.parse(row));
  }
}

function entryOf(row: z.infer<typeof rowSchema>): AuditEntry {
  const { at, action, details, actorId, actorName, targetId, targetName } = row;
  const target = targetId === null ? null : { id: targetId, name: targetName ?? "" };
  return { at, actor: { id: actorId, name: actorName }, action, target, details };
}
