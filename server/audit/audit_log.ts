import type { Kysely } from "kysely";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import { LogExpiry } from "../database/log_expiry.ts";
import type { Tables } from "../database/schema.ts";
import { entryLog } from "../observability/logging.ts";
import { type AuditDetails, auditDetailsSchema } from "./audit.ts";
import { type Authority, requireAuthority } from "./authority.ts";
import { isAfter, type Page, pageLength, pageOf, readCursor } from "../database/cursor.ts";
import { storedText } from "../database/stored_setting.ts";
import type { Named } from "@/shared/audit.ts";
import { maxUserIdLength } from "@/realtime/protocol/member.ts";

/** Every action that is recorded. Only append: removing or renaming one would make old entries unreadable. */
const auditActions = [
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
  "app_added",
  "app_renamed",
  "app_secret_shown",
  "app_secret_replaced",
  "app_removed",
  "channel_event_read",
  "channel_event_sent",
  "alert_tested",
  "embed_created",
  "embed_changed",
  "embed_revoked",
  "invite_created",
  "invite_revoked",
  "user_joined",
  "reset_link_created",
  "reset_link_revoked",
  "reset_link_used",
  "name_changed",
  "password_changed",
  "api_token_created",
  "api_token_revoked",
  "site_tag_created",
  "site_tag_changed",
  "site_tag_revoked",
  "person_blocked",
  "person_unblocked",
  "person_exported",
  "person_forgotten",
  "user_deleted",
  "provider_user_added",
  "provider_user_linked",
  "provider_role_changed",
  "mail_tested",
  "limits_changed",
  "reset_link_requested",
  "account_deleted",
  "alert_receiver_added",
  "alert_receiver_changed",
  "alert_receiver_deleted",
  "second_factor_added",
  "second_factor_replaced",
  "second_factor_removed",
  "second_factor_reset",
  "recovery_codes_replaced",
  "recovery_code_used",
  "passkey_added",
  "passkey_removed",
  "alert_rule_added",
  "alert_rule_changed",
  "alert_rule_deleted",
  "mark_added",
  "mark_removed",
] as const;

/** One of {@link auditActions}. */
export type AuditAction = typeof auditActions[number];

/** An action of an admin, or of a user on their own account. */
export interface AuditEntry {
  /** In ms since 1970. */
  at: number;
  actor: Named;
  action: AuditAction;
  /** Null for an action on none in particular. */
  target: Named | null;
  details: AuditDetails;
}

/** Selects the entries that match all given fields. */
interface AuditFilter {
  actorId?: string;
  action?: AuditAction;
  targetId?: string;
}

const maxIdLength = 128;
const maxNameLength = 100;

/** Entries that one statement deletes: the embedded database works in the event loop. */
const forgottenAtOnce = 200;

/** How many actors a filter offers. */
const maxActors = 200;

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

/** The actions of admins, and of users on their own accounts. Entries are only added; `server/privacy/` alone changes them. */
export class AuditLog {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Adds an entry. Long names and texts are cut, so that messages are not kept whole.
   *
   * @param queries the transaction that the entry belongs to, if any.
   * @param authority what the actor needs to have still; not looked at when it is left out.
   * @returns the number of the entry.
   * @throws {AuthorityLost} when the actor has it no more.
   * @throws {Error} when it cannot be stored, or has too many details or details named like secrets.
   */
  async append(
    entry: AuditEntry,
    queries?: Kysely<Tables>,
    authority?: Authority,
  ): Promise<number> {
    if (!authority) return await insert(queries ?? this.#database.queries, entry);
    const append = async (transaction: Kysely<Tables>) => {
      await requireAuthority(transaction, entry.actor.id, authority);
      return await insert(transaction, entry);
    };
    return await (queries ? append(queries) : this.#database.exclusively(append));
  }

  /**
   * A page of the log, newest first.
   *
   * @param before the `next` of the page before; for any other text the page begins with the newest.
   * @param limit entries of the page, at most 1,000.
   */
  async read(
    { before, limit, ...filter }: AuditFilter & { before?: string; limit: number },
  ): Promise<Page<AuditEntry>> {
    const length = pageLength(limit);
    const cursor = readCursor(before);
    let query = this.#database.queries.selectFrom("auditEntry").selectAll();
    if (filter.actorId !== undefined) {
      query = query.where("actorId", "=", storedText(filter.actorId, maxIdLength));
    }
    if (filter.action !== undefined) query = query.where("action", "=", filter.action);
    if (filter.targetId !== undefined) {
      query = query.where("targetId", "=", storedText(filter.targetId, maxIdLength));
    }
    if (cursor) query = query.where(isAfter(cursor));
    const rows = await query.orderBy("at", "desc").orderBy("number", "desc").limit(length + 1)
      .execute();
    return pageOf(rows.map((row) => rowSchema.parse(row)), length, entryOf);
  }

  /**
   * Deletes some of the entries from before a time in ms since 1970.
   *
   * @returns whether none is left to delete.
   */
  async forgetSome(olderThan: number): Promise<boolean> {
    const { queries } = this.#database;
    const old = queries.selectFrom("auditEntry").select("number").where("at", "<", olderThan)
      .orderBy("at").limit(forgottenAtOnce);
    const { numDeletedRows } = await queries.deleteFrom("auditEntry").where("number", "in", old)
      .executeTakeFirst();
    return numDeletedRows === 0n;
  }

  /** The last 200 actors, newest first, by the name of their last entry. */
  async actors(): Promise<Named[]> {
    const { queries } = this.#database;
    const last = queries.selectFrom("auditEntry").select((of) => of.fn.max("number").as("number"))
      .groupBy("actorId");
    const rows = await queries.selectFrom("auditEntry")
      .select(["actorId as id", "actorName as name"])
      .where("number", "in", last).orderBy("number", "desc").limit(maxActors).execute();
    return rows.map((row) => namedSchema.parse(row));
  }
}

/** Deletes entries of the admin log that are older than some days; 0: it keeps all of them. */
export function startAuditExpiry(auditLog: AuditLog, days: number): LogExpiry | undefined {
  if (days === 0) return undefined;
  const log = entryLog("audit");
  return new LogExpiry(auditLog, days, (error) => {
    log({ level: "error", message: "Old entries of the admin log could not be deleted", error });
  });
}

async function insert(
  queries: Kysely<Tables>,
  { at, actor, action, target, details }: AuditEntry,
): Promise<number> {
  const { number } = await queries.insertInto("auditEntry").values({
    at,
    actorId: storedText(actor.id, maxIdLength),
    actorName: storedText(actor.name, maxNameLength),
    action,
    targetId: target && storedText(target.id, maxIdLength),
    targetName: target && storedText(target.name, maxNameLength),
    details: JSON.stringify(auditDetailsSchema.parse(details)),
  }).returning("number").executeTakeFirstOrThrow();
  return number;
}

function entryOf(row: z.infer<typeof rowSchema>): AuditEntry {
  const { at, action, details, actorId, actorName, targetId, targetName } = row;
  const target = targetId === null ? null : { id: targetId, name: targetName ?? "" };
  return { at, actor: { id: actorId, name: actorName }, action, target, details };
}

const idSchema = z.string().min(1).max(maxUserIdLength).optional().catch(undefined);

/** The filter of the audit page. Invalid values do not filter. */
const querySchema = z.object({
  actor: idSchema,
  target: idSchema,
  action: z.enum(auditActions).optional().catch(undefined),
});

/** The filter of the audit page, as the query of its URL has it. */
export type AuditQuery = z.infer<typeof querySchema>;

/** Reads the query of a URL. */
export function readAuditQuery(parameters: URLSearchParams): AuditQuery {
  return querySchema.parse(Object.fromEntries(parameters));
}

/** The path of the audit page with a filter. `before` is the `next` of the page before. */
export function auditPath(query: AuditQuery, before?: string): string {
  const parameters = Object.entries({ ...query, before }).filter(([, value]) =>
    value !== undefined
  );
  return parameters.length === 0
    ? "/admin/activity/admins"
    : `/admin/activity/admins?${new URLSearchParams(parameters as [string, string][])}`;
}

/** The filter for the log of a query. */
export function auditFilter({ actor, target, action }: AuditQuery): AuditFilter {
  return { actorId: actor, targetId: target, action };
}
