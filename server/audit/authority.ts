import type { Kysely } from "kysely";
import { z } from "zod";
import type { Tables } from "../database/schema.ts";

/** What an actor needs to act: an open session, and for most actions the role of admin. */
export interface Authority {
  sessionId: string;
  needsAdmin: boolean;
}

/** The actor could act when the request came, and cannot any more. It is answered with 403. */
export class AuthorityLost extends Error {
  override name = "AuthorityLost";
  constructor() {
    super("You are no longer allowed to do this.");
  }
}

const actorSchema = z.object({ role: z.string() });

/**
 * Looks at an actor again: a request can wait while an admin demotes or disables its sender.
 *
 * @param transaction the action's, so that nothing comes in between.
 * @throws {AuthorityLost} when the user is disabled or gone, the session has ended, or the role is lost.
 */
export async function requireAuthority(
  transaction: Kysely<Tables>,
  actorId: string,
  { sessionId, needsAdmin }: Authority,
): Promise<void> {
  const row = await transaction.selectFrom("session")
    .innerJoin("user", "user.id", "session.userId").select("user.role")
    .where("session.id", "=", sessionId).where("session.expiresAt", ">", new Date())
    .where("user.id", "=", actorId).where("user.banned", "=", false)
    .executeTakeFirst();
  if (!row || needsAdmin && actorSchema.parse(row).role !== "admin") throw new AuthorityLost();
}
