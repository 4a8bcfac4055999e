import { type Kysely, sql } from "kysely";
import { digest, sign } from "./digest.ts";
import type { Tables } from "../database/schema.ts";
import { randomBytes } from "node:crypto";
import { isSameText } from "@/realtime/protocol/signature.ts";
import type { Authentication } from "./authentication.ts";
import type { Database } from "../database/database.ts";
import { hasSessionFrom } from "./sessions.ts";
import type { PasswordWork } from "./passwords.ts";
import { rateLimitKey } from "../net/window_limits.ts";
import { credentialsSchema } from "./account_fields.ts";
import { newPendingSignIn } from "./pending_sign_in.ts";

/** The attempts on one account in {@link usualWindowMs}, of all unknown devices and peers together. */
export const mostAttemptsOfAccount = 30;

/** The time in which attempts are limited, in ms. */
export const usualWindowMs = 15 * 60 * 1000;

/** Expired rows that one attempt deletes: the embedded database works in the event loop. */
const deletedAtOnce = 200;

/** Attempts to sign in that are counted together. */
interface Attempts {
  /** Of fixed size, so that the database holds no list of the addresses that were typed. */
  key: string;
  /** How many there may be in the window. */
  limit: number;
  /** The window, of 15 minutes or longer, in ms; default: 15 minutes. */
  windowMs?: number;
}

/**
 * The attempts on one account of all unknown devices and peers together: far more than a forgetful person
 * needs, and far fewer than guessing needs. They count whether or not a user has this email.
 */
function attemptsOfAccount(email: string): Attempts {
  return { key: digest(email), limit: mostAttemptsOfAccount };
}

/**
 * The attempts on one account from a peer that it has a session from. They are counted apart from other peers' attempts, so
 * that strangers elsewhere cannot use them up, and they are more, because several people can share the
 * address.
 */
function attemptsOfKnownPeer(email: string, peer: string): Attempts {
  return { key: digest(JSON.stringify(["peer", email, peer])), limit: 60 };
}

/** The attempts of a device that has signed in to the account before. */
function attemptsOfDevice(deviceId: string): Attempts {
  return { key: digest(JSON.stringify(["device", deviceId])), limit: 30 };
}

/** The attempts of a signed-in user to state the present password, whatever the session. */
export function attemptsAtOwnPassword(userId: string): Attempts {
  return { key: digest(JSON.stringify(["password", userId])), limit: 10 };
}

/**
 * The changes of a user's own password that succeed: each costs two hashes, and an entry in the admin log,
 * which is kept.
 */
export function changesOfOwnPassword(userId: string): Attempts {
  const key = digest(JSON.stringify(["changed password", userId]));
  return { key, limit: 5, windowMs: 60 * 60 * 1000 };
}

/** The changes of a user's own name: each is in the admin log, which is kept. */
export function attemptsAtOwnName(userId: string): Attempts {
  return { key: digest(JSON.stringify(["name", userId])), limit: 10 };
}

/** The links to set a new password that a client asks for. */
export function askedLinksOfClient(client: string): Attempts {
  return { key: digest(JSON.stringify(["links of client", client])), limit: 10 };
}

/** The links to set a new password that are sent to one email, of all clients together. */
export function askedLinksOfEmail(email: string): Attempts {
  const key = digest(JSON.stringify(["links to email", email]));
  return { key, limit: 3, windowMs: 60 * 60 * 1000 };
}

/**
 * The codes that are tried for an account. Browsers that have signed in to it before have their own, so that
 * strangers who know the password do not use them up, and share them, so that many browsers are not more guesses.
 */
export function attemptsAtSecondFactor(userId: string, isKnownDevice: boolean): Attempts {
  const key = digest(JSON.stringify(["second factor", userId, isKnownDevice]));
  return { key, limit: 10, windowMs: 60 * 60 * 1000 };
}

/** The codes that a client tries, whatever the account; those that are right do not count. */
export function attemptsOfPeerAtSecondFactors(peer: string): Attempts {
  return { key: digest(JSON.stringify(["second factors", peer])), limit: 30 };
}

/** The one use of a challenge to passkeys, which is shorter than the window. */
export function usesOfPasskeyChallenge(challenge: string): Attempts {
  return { key: digest(JSON.stringify(["passkey challenge", challenge])), limit: 1 };
}

/** The one use of an answer of a provider, whose attempt is shorter than the window. */
export function usesOfProviderState(state: string): Attempts {
  return { key: digest(JSON.stringify(["provider state", state])), limit: 1 };
}

/**
 * Uses up one of the attempts.
 *
 * @returns null, or in how many seconds the next attempt is possible when none was left.
 */
export async function takeAttempt(
  queries: Kysely<Tables>,
  attempts: Attempts,
): Promise<number | null> {
  const attempt = await countAttempt(queries, attempts);
  return attempt.left < 0 ? attempt.retryAfterSeconds : null;
}

/**
 * Uses up one of the attempts.
 *
 * @returns how many are left, below 0 when there was none, and in how many seconds they are restored.
 */
async function countAttempt(
  queries: Kysely<Tables>,
  { key, limit, windowMs = usualWindowMs }: Attempts,
): Promise<{ left: number; retryAfterSeconds: number }> {
  const now = Date.now();
  await deleteExpired(queries, key, now - usualWindowMs);
  // All rows end as long after their `since`, so a longer window ends later.
  const from = now + windowMs - usualWindowMs;
  const { count, since } = await queries.insertInto("signInAttempt")
    .values({ account: key, count: 1, since: from })
    .onConflict((conflict) =>
      conflict.column("account").doUpdateSet({ count: sql`"signInAttempt"."count" + 1` })
    )
    .returning(["count", "since"])
    .executeTakeFirstOrThrow();
  const retryAfterSeconds = Math.max(1, Math.ceil((since + usualWindowMs - now) / 1000));
  return { left: limit - count, retryAfterSeconds };
}

/** Deletes the expired row of a key, and some of the others: each attempt adds fewer. */
async function deleteExpired(queries: Kysely<Tables>, key: string, since: number): Promise<void> {
  const some = queries.selectFrom("signInAttempt").select("account")
    .where("since", "<=", since).limit(deletedAtOnce);
  await queries.deleteFrom("signInAttempt").where("since", "<=", since)
    .where(({ eb, or }) => or([eb("account", "=", key), eb("account", "in", some)])).execute();
}

/** Gives an attempt back that was not made, because the peer had none left itself. */
export async function returnAttempt(queries: Kysely<Tables>, { key }: Attempts): Promise<void> {
  await queries.updateTable("signInAttempt").set({ count: sql`"count" - 1` })
    .where("account", "=", key).execute();
  await queries.deleteFrom("signInAttempt").where("account", "=", key).where("count", "<", 1)
    .execute();
}

/** Deletes the attempts, after one that succeeded. */
export async function forgetAttempts(queries: Kysely<Tables>, { key }: Attempts): Promise<void> {
  await queries.deleteFrom("signInAttempt").where("account", "=", key).execute();
}

const purpose = "device";
const cookiePattern = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

/**
 * A cookie value that shows that this browser has signed in to the account before: a random id, and its signature
 * for this account. It is not a credential. Sign-ins with it have attempts of their own, so that a stranger's
 * guesses do not lock the account's owner out.
 */
export function newDevice(secret: string, account: string): string {
  const id = randomBytes(16).toString("base64url");
  return `${id}.${sign(secret, purpose, account, id)}`;
}

/** The id in a cookie value that {@link newDevice} made for this account; null for any other value. */
export function deviceIdOf(
  secret: string,
  account: string,
  value: string | undefined,
): string | null {
  const [, id, signature] = value?.match(cookiePattern) ?? [];
  if (id === undefined) return null;
  return isSameText(signature, sign(secret, purpose, account, id)) ? id : null;
}

/** The outcome of signing in: complete Set-Cookie values and the device cookie, or why it was refused. */
export type SignIn =
  | { ok: true; cookies: string[]; device: string }
  | { ok: false; reason: "wrong_credentials"; attemptsLeft: number }
  | { ok: false; reason: "second_factor"; ticket: string }
  | { ok: false; reason: "disabled" | "invalid" }
  | { ok: false; reason: "rate_limited"; retryAfterSeconds: number };

/** What signing in needs. */
interface SignInParts {
  database: Database;
  authentication: Authentication;
  passwordWork: PasswordWork;
  /** Signs device cookies. */
  secret: string;
  /** Whether everyone needs a second factor. */
  isRequired: boolean;
}

/**
 * Signs in, within the limits of the peer and of the account, or of the device if it is known.
 *
 * @throws {BusyError} when too many others sign in; the attempt does not count.
 */
export async function signIn(
  { database: { queries }, authentication, passwordWork, secret, isRequired }: SignInParts,
  input: { email: string; password: string },
  { peerAddress, device, userAgent }: {
    peerAddress: string;
    device?: string;
    userAgent?: string;
  },
): Promise<SignIn> {
  const parsed = credentialsSchema.safeParse(input);
  if (!parsed.success) return { ok: false, reason: "invalid" };
  const { email } = parsed.data;
  const peer = rateLimitKey(peerAddress);
  const deviceId = deviceIdOf(secret, email, device);
  const work = async (): Promise<SignIn> => {
    const attempts = await attemptsFor({ queries, email, peer, deviceId, isRequired });
    const { left, retryAfterSeconds } = await countAttempt(queries, attempts);
    if (left < 0) return { ok: false, reason: "rate_limited", retryAfterSeconds };
    const from = { peer, isKnownDevice: deviceId !== null, userAgent };
    const result = await authentication.signIn(parsed.data, from);
    if (result.outcome === "signed_in") {
      await forgetAttempts(queries, attempts);
      const sameDevice = deviceId === null ? undefined : device;
      return { ok: true, cookies: result.cookies, device: sameDevice ?? newDevice(secret, email) };
    }
    if (result.outcome === "wrong_credentials") {
      const ofPeer = from.isKnownDevice ? left : await authentication.attemptsLeft(peer);
      return { ok: false, reason: "wrong_credentials", attemptsLeft: Math.min(left, ofPeer) };
    }
    if (result.outcome === "disabled") return { ok: false, reason: "disabled" };
    if (result.outcome === "second_factor") {
      await returnAttempt(queries, attempts);
      const ticket = await newPendingSignIn(queries, secret, result.userId, Date.now());
      return { ok: false, reason: "second_factor", ticket };
    }
    await returnAttempt(queries, attempts);
    return { ok: false, reason: "rate_limited", retryAfterSeconds: result.retryAfterSeconds };
  };
  return deviceId === null
    ? await passwordWork.run(peer, work)
    : await passwordWork.run(email, work, "known_device");
}

/** The attempts of the device, if it is known; of the peer, if the account has a session from there. */
async function attemptsFor({ queries, email, peer, deviceId, isRequired }: {
  queries: Database["queries"];
  email: string;
  peer: string;
  deviceId: string | null;
  isRequired: boolean;
}): Promise<Attempts> {
  if (deviceId !== null) return attemptsOfDevice(deviceId);
  return await hasSessionFrom(queries, email, peer, isRequired)
    ? attemptsOfKnownPeer(email, peer)
    : attemptsOfAccount(email);
}
