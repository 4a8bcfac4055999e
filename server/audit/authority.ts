import type { Kysely } from "kysely";
import { z } from "zod";
import { roleSchema, storedLimits } from "../accounts/account_fields.ts";
import { validSessions } from "../accounts/sessions.ts";
import type { Tables } from "../database/schema.ts";
import { isNarrowed, type Limits, limitsOf, may, type Permission } from "@/shared/permissions.ts";
import { text } from "@/shared/language.ts";

/** What an actor needs to act: an open session, and for most actions a permission. */
export interface Authority {
  sessionId: string;
  /** Null for an action that every user may do. */
  needs: Permission | null;
  /** The limits that held when the actor was let through: narrower ones do not do. */
  limits: Limits;
}

/** The actor could act when the request came, and no longer can. It is answered with 403. */
export class AuthorityLost extends Error {
  override name = "AuthorityLost";
  constructor() {
    super(text`You are no longer allowed to do this.`);
  }
}

const actorSchema = z.object({ role: roleSchema, limits: storedLimits });

/**
 * Looks at an actor again: a request can wait while an admin demotes or disables its sender.
 *
 * @param transaction the action's, so that nothing comes in between.
 * @throws {AuthorityLost} when the user is disabled or gone, the session has ended or lacks a second factor, the
 * role no longer permits it, or the user is limited more than before.
 */
export async function requireAuthority(
  transaction: Kysely<Tables>,
  actorId: string,
  { sessionId, needs, limits }: Authority,
): Promise<void> {
  // Whether everyone needs a second factor does not change while the request waits.
  const row = await validSessions(transaction, false)
    .innerJoin("user", "user.id", "session.userId").select(["user.role", "user.limits"])
    .where("session.id", "=", sessionId)
    .where("user.id", "=", actorId).where("user.banned", "=", false)
    .executeTakeFirst();
  if (!row) throw new AuthorityLost();
  const actor = actorSchema.parse(row);
  if (!needs) return;
  if (!may(actor.role, needs) || isNarrowed(limits, limitsOf(actor))) throw new AuthorityLost();
}
