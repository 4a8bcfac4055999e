import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../database/schema.ts";

/**
 * Attempts to sign in to one account from peers that it does not know, however many there are. It is
 * far above what a forgetful person needs and far below what guessing needs.
 */
const limit = { attempts: 30, windowMs: 15 * 60 * 1000 };

/**
 * Takes one of the attempts that are left for an account, whether or not there is a user with this
 * e-mail. Answers null when there was one, or else after how many seconds there will be.
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

/** Gives an attempt back that came to nothing because the peer had none left itself. */
export async function returnAttempt(queries: Kysely<Tables>, email: string): Promise<void> {
  const account = accountOf(email);
  await queries.updateTable("signInAttempt").set({ count: sql`"count" - 1` })
    .where("account", "=", account).execute();
  await queries.deleteFrom("signInAttempt").where("account", "=", account).where("count", "<", 1)
    .execute();
}

/** Forgets the attempts on an account, whose owner has just signed in. */
export async function forgetAttempts(queries: Kysely<Tables>, email: string): Promise<void> {
  await queries.deleteFrom("signInAttempt").where("account", "=", accountOf(email)).execute();
}

/**
 * Whether someone is signed in to the account from this peer. Such a peer is not held to the limit
 * of the account, so that a stranger cannot lock its owner out by guessing.
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

/** A fixed size whatever was typed, and no list of typed addresses in the database. */
function accountOf(email: string): string {
  return createHash("sha256").update(email).digest("base64url");
}
