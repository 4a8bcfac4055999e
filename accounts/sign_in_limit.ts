import { type Kysely, sql } from "kysely";
import { digest } from "./digest.ts";
import type { Tables } from "../database/schema.ts";

/**
 * Attempts to sign in to one account from all unknown peers together: far more than a forgetful person
 * needs, and far fewer than guessing needs.
 */
const limit = { attempts: 30, windowMs: 15 * 60 * 1000 };

/**
 * Uses up one of the attempts of an account, whether or not a user has this email.
 *
 * @returns null, or in how many seconds the next attempt is possible when none was left.
 */
export async function takeAttempt(queries: Kysely<Tables>, email: string): Promise<number | null> {
  const now = Date.now();
  await queries.deleteFrom("signInAttempt").where("since", "<=", now - limit.windowMs).execute();
  const { count, since } = await queries.insertInto("signInAttempt")
    .values({ account: accountOf(email), count: 1, since: now })
    .onConflict((conflict) =>
      conflict.column("account").doUpdateSet({ count: sql`"signInAttempt"."count" + 1` })
    )
    .returning(["count", "since"])
    .executeTakeFirstOrThrow();
  if (count <= limit.attempts) return null;
  return Math.max(1, Math.ceil((since + limit.windowMs - now) / 1000));
}

/** Gives an attempt back that was not made, because the peer had none left itself. */
export async function returnAttempt(queries: Kysely<Tables>, email: string): Promise<void> {
  const account = accountOf(email);
  await queries.updateTable("signInAttempt").set({ count: sql`"count" - 1` })
    .where("account", "=", account).execute();
  await queries.deleteFrom("signInAttempt").where("account", "=", account).where("count", "<", 1)
    .execute();
}

/** Deletes the attempts on an account, whose owner has just signed in. */
export async function forgetAttempts(queries: Kysely<Tables>, email: string): Promise<void> {
  await queries.deleteFrom("signInAttempt").where("account", "=", accountOf(email)).execute();
}

/**
 * Whether the account has a session from this peer. The limit of the account does not apply to such a
 * peer, so that a stranger cannot lock the owner out by guessing.
 */
export async function isKnownPeer(
  queries: Kysely<Tables>,
  email: string,
  peer: string,
): Promise<boolean> {
  const session = await queries.selectFrom("session")
    .innerJoin("user", "user.id", "session.userId")
    .select("session.id")
    .where("user.email", "=", email)
    .where("session.ipAddress", "=", peer)
    .where("session.expiresAt", ">", new Date())
    .limit(1).executeTakeFirst();
  return session !== undefined;
}

/** A key of fixed size, so that the database holds no list of the addresses that were typed. */
function accountOf(email: string): string {
  return digest(email);
}
