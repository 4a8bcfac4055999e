import { Buffer } from "node:buffer";
import type { Kysely } from "kysely";
import { z } from "zod";
import { isSameText } from "@/realtime/protocol/signature.ts";
import type { Tables } from "../database/schema.ts";
import { userIdSchema } from "./account_fields.ts";
import { digest, sign } from "./digest.ts";
import { passwordHashOf } from "./passwords.ts";
import { findUser, type User } from "./users.ts";

/** How long a person has for the second factor after the password, in seconds. */
export const pendingSeconds = 10 * 60;

const purpose = "pending sign-in";
const pendingSchema = z.object({ userId: userIdSchema, at: z.number() });

/**
 * The ticket of a browser whose password was right, for any server of the installation. It is no session: it only
 * lets the browser try a second factor, until the password changes.
 *
 * @param now in ms since 1970.
 */
export async function newPendingSignIn(
  queries: Kysely<Tables>,
  secret: string,
  userId: string,
  now: number,
): Promise<string> {
  const pending = { userId, at: now };
  const content = Buffer.from(JSON.stringify(pending)).toString("base64url");
  return `${content}.${await signatureOf(queries, secret, userId, content)}`;
}

/** The user of a ticket; null when it is none, too old, or of a password that is no more. */
export async function userOfPendingSignIn(
  queries: Kysely<Tables>,
  secret: string,
  ticket: string | undefined,
  now: number,
): Promise<User | null> {
  if (ticket === undefined || ticket.length > 500) return null;
  const [content, signature = ""] = ticket.split(".");
  const pending = readContent(content);
  if (pending === null || Math.abs(now - pending.at) > pendingSeconds * 1_000) return null;
  const { userId } = pending;
  if (!isSameText(signature, await signatureOf(queries, secret, userId, content))) return null;
  const user = await findUser(queries, userId);
  return user?.disabled ? null : user;
}

function readContent(content: string): z.infer<typeof pendingSchema> | null {
  try {
    const json = JSON.parse(Buffer.from(content, "base64url").toString());
    return pendingSchema.safeParse(json).data ?? null;
  } catch {
    return null;
  }
}

async function signatureOf(
  queries: Kysely<Tables>,
  secret: string,
  userId: string,
  content: string,
): Promise<string> {
  const passwordHash = await passwordHashOf(queries, userId) ?? "";
  return sign(secret, purpose, content, digest(passwordHash));
}
