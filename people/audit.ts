import type { Kysely } from "kysely";
import type { Tables } from "../database/schema.ts";
import type { State } from "../state.ts";
import { logOf } from "../observability/logging.ts";
import type { AuditDetails } from "../audit/audit_details.ts";
import type { AuditAction } from "../audit/audit_log.ts";
import type { Named } from "../shared/audit.ts";

/**
 * Writes down what the signed-in admin does. It comes before the deed, or is written in the
 * transaction of the deed: when the entry cannot be stored, nothing has been done, and the request
 * fails. An entry may thus stand for something that failed right afterwards, but nothing is ever done
 * without one.
 *
 * @param target whom or what it is done to, by the name of now; null for nobody in particular.
 * @param details plain values that belong to it; long texts are cut, secrets refused.
 * @param queries the transaction that also holds the deed, if one does.
 * @throws {Error} when it cannot be stored, or nobody is signed in.
 *
 * @example
 * await audit(ctx.state, "wallboard_link_revoked", { id: link.id, name: link.name });
 */
export async function audit(
  { auditLog, session }: Pick<State, "auditLog" | "session">,
  action: AuditAction,
  target: Named | null,
  details: AuditDetails = {},
  queries?: Kysely<Tables>,
): Promise<void> {
  if (!session) throw new Error(`Nobody is signed in to be noted for ${action}`);
  const actor = { id: session.user.id, name: session.user.name };
  await auditLog.append({ at: Date.now(), actor, action, target, details }, queries);
  // Ids only: names and texts have no place in the log of the server.
  logOf("audit").info("An admin acted", { admin: actor.id, action, target: target?.id });
}
