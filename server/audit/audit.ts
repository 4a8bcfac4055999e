/**
 * The admin log: what admins did, and people to their own accounts.
 *
 * An action calls `audit` before it acts, or passes `audited` as the `inTransaction` of its change, so that the
 * entry is stored in the change's transaction. `audit_log.ts` has the names of all actions and the table;
 * `authority.ts` looks at the actor again. The sentences for pages are in `components/audit/`.
 *
 * The promises: there is no action without an entry: if it cannot be stored, nothing has been done and the request
 * fails. The one who acts still has the session, and the role where one is needed, at the moment of the entry: a
 * request can wait while another admin demotes its sender. Entries are only added, never changed or deleted, except
 * that “a removed person” takes the place of one who is forgotten. Details are plain values; long texts are cut,
 * and details that are named like secrets are refused.
 *
 * The trade-off: an entry may stand for an action that failed right afterwards. Entries keep the names that
 * people had then, so old names stay in them. Names of actions can be added only, because old entries have to
 * stay readable.
 *
 * The server's own log has a line for each entry with its number, and no names or ids: it can go to other
 * machines, where nothing can be forgotten.
 *
 * @module
 */
import { z } from "zod";
import { storedText } from "../database/stored_setting.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../database/schema.ts";
import { logOf } from "../observability/logging.ts";
import type { AuditAction, AuditEntry, AuditLog } from "./audit_log.ts";
import type { Named } from "@/shared/audit.ts";
import { limitsOf, type Permission, type Reader } from "@/shared/permissions.ts";

const maxTextLength = 500;
const maxDetails = 20;

/** Names of secrets, which must not be in a log that all admins read. */
const secretName = /password|passphrase|token|secret|cookie|signature|authorization/i;

const value = z.union([
  z.string().transform((text) => shortened(text)),
  z.number(),
  z.boolean(),
  z.null(),
]);

/** The details of an action, by name: plain values, long texts cut. */
export const auditDetailsSchema = z.record(
  z.string().regex(/^[a-z][A-Za-z0-9]{0,39}$/)
    .refine((name) => !secretName.test(name), "Secrets cannot be recorded"),
  value,
).refine((details) => Object.keys(details).length <= maxDetails, `At most ${maxDetails} details`);

/** The details of an action, such as the text of a message. */
export type AuditDetails = z.infer<typeof auditDetailsSchema>;

function shortened(text: string): string {
  if (text.length <= maxTextLength) return storedText(text, maxTextLength);
  return storedText(text, maxTextLength - 1) + "…";
}

/** The admin log, and the session of the user whose actions it records; the state of a request has both. */
interface Auditor {
  auditLog: AuditLog;
  session: { id: string; user: Named & Reader } | null;
}

/** What actions need that not only admins may do; null for those of users on their own accounts. */
const needed: Partial<Record<AuditAction, Permission | null>> = {
  name_changed: null,
  password_changed: null,
  account_deleted: null,
  second_factor_added: null,
  second_factor_replaced: null,
  second_factor_removed: null,
  recovery_codes_replaced: null,
  passkey_added: null,
  passkey_removed: null,
  message_sent: "act",
  message_sent_to_all: "act",
  member_removed: "act",
  guest_blocked: "act",
  guest_unblocked: "act",
  person_blocked: "act",
  person_unblocked: "act",
  // Of an account with a role, only admins: see `disableUser`.
  user_disabled: "act",
};

/**
 * Records an action of the signed-in user, who must still be allowed to act. Call it before the action, or in the
 * action's transaction: if the entry cannot be stored, nothing has been done and the request fails. So an entry may
 * stand for an action that failed right afterwards, but no action is without an entry.
 *
 * @param target what the action is on, by its current name; null for none in particular.
 * @param details plain values; long texts are cut, secrets refused.
 * @param queries the action's transaction, if it has one.
 * @throws {AuthorityLost} when the user has lost the session or the role since the request came.
 * @throws {Error} when the entry cannot be stored, or no one is signed in.
 *
 * @example
 * await audit(ctx.state, "wallboard_link_revoked", { id: link.id, name: link.name });
 */
export async function audit(
  { auditLog, session }: Auditor,
  action: AuditAction,
  target: Named | null,
  details: AuditDetails = {},
  queries?: Kysely<Tables>,
): Promise<void> {
  if (!session) throw new Error(`${action} cannot be recorded: no one is signed in`);
  const { id, name } = session.user;
  const entry = { at: Date.now(), actor: { id, name }, action, target, details };
  const { [action]: needs = "manage" } = needed;
  const authority = { sessionId: session.id, needs, limits: limitsOf(session.user) };
  logRecorded(entry, await auditLog.append(entry, queries, authority));
}

/**
 * Records what a person did to their own account without a session: with a link, or by a sign-in with a provider.
 *
 * @param transaction the transaction of the action.
 */
export async function auditWithoutSession(
  auditLog: Auditor["auditLog"],
  { action, user: { id, name }, details = {} }: {
    action:
      | "user_joined"
      | "reset_link_used"
      | "reset_link_requested"
      | "provider_user_added"
      | "provider_user_linked"
      | "provider_role_changed"
      | "second_factor_added"
      | "passkey_added"
      | "recovery_code_used";
    user: Named;
    details?: AuditDetails;
  },
  transaction: Kysely<Tables>,
): Promise<void> {
  const user = { id, name };
  const entry = { at: Date.now(), actor: user, action, target: user, details };
  logRecorded(entry, await auditLog.append(entry, transaction));
}

/** Records what a program does with a token of the API, which works at that moment. Call it before the action. */
export async function auditWithToken(
  auditLog: Auditor["auditLog"],
  token: Named,
  { action, target, details }: {
    action: "message_sent" | "message_sent_to_all" | "mark_added";
    target: Named | null;
    details: AuditDetails;
  },
): Promise<void> {
  const actor = { id: token.id, name: `API token ${token.name}` };
  const entry = { at: Date.now(), actor, action, target, details };
  logRecorded(entry, await auditLog.append(entry));
}

/** Who acted, and on whom, is in the entry only: the server's log can go where nothing can be forgotten. */
function logRecorded({ action }: AuditEntry, entry: number): void {
  logOf("audit").info("An action was recorded", { action, entry });
}

/** {@link audit} as the `inTransaction` of a change: the entry is stored in the change's transaction. */
export function audited(
  auditor: Auditor,
  action: AuditAction,
  details: AuditDetails = {},
): (transaction: Kysely<Tables>, target: Named) => Promise<void> {
  return (transaction, target) => audit(auditor, action, target, details, transaction);
}
