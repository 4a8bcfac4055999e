import type { InTransaction } from "../database/schema.ts";
import type { Authentication } from "./authentication.ts";
import type { Database } from "../database/database.ts";
import {
  done,
  invalid,
  languageSchema,
  nameSchema,
  newPasswordSchema,
  noSuchUser,
  rateLimited,
  refused,
  type Result,
} from "./account_fields.ts";
import { hasPassword, passwordHashOf, type PasswordWork, storePassword } from "./passwords.ts";
import { endOtherSessions } from "./sessions.ts";
import {
  attemptsAtOwnName,
  attemptsAtOwnPassword,
  changesOfOwnPassword,
  forgetAttempts,
  takeAttempt,
} from "./sign_in.ts";
import { findUser, type User } from "./users.ts";

/** Changes the name of a user. Refused with `not_found`, `invalid` or `rate_limited`. */
export async function changeOwnName(
  database: Database,
  id: string,
  input: string,
  inTransaction: InTransaction<User>,
): Promise<Result> {
  const name = nameSchema.safeParse(input);
  if (!name.success) return { ...invalid(name.error), field: "name" };
  const waitSeconds = await takeAttempt(database.queries, attemptsAtOwnName(id));
  if (waitSeconds !== null) return rateLimited(waitSeconds);
  return await database.exclusively(async (transaction) => {
    const user = await findUser(transaction, id);
    if (!user) return noSuchUser;
    if (user.name === name.data) return done(undefined);
    await inTransaction(transaction, user);
    await transaction.updateTable("user").set({ name: name.data, updatedAt: new Date() })
      .where("id", "=", id).execute();
    return done(undefined);
  });
}

/** Changes the language of a user; null is the browser's. Refused with `invalid`. */
export async function changeOwnLanguage(
  { queries }: Database,
  id: string,
  input: string | null,
): Promise<Result> {
  const language = languageSchema.safeParse(input);
  if (!language.success) return { ...invalid(language.error), field: "language" };
  await queries.updateTable("user").set({ language: language.data, updatedAt: new Date() })
    .where("id", "=", id).execute();
  return done(undefined);
}

/** What it takes to look at a password. */
export interface OwnPasswordParts {
  database: Database;
  authentication: Authentication;
  passwordWork: PasswordWork;
}

/**
 * Does something for a user who states the present password, as a stranger at an open browser cannot. Attempts are
 * limited. Refused with `wrong_password`, `rate_limited`, or `invalid` for an account without a password.
 *
 * @throws {BusyError} when too many other passwords are hashed, or one of this user is.
 */
export async function withOwnPassword<Value>(
  { database: { queries }, authentication, passwordWork }: OwnPasswordParts,
  id: string,
  current: string,
  act: (hash: string) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  return await passwordWork.run(id, async () => {
    const hash = await passwordHashOf(queries, id);
    if (hash === null) return noPassword;
    const attempts = attemptsAtOwnPassword(id);
    const waitSeconds = await takeAttempt(queries, attempts);
    if (waitSeconds !== null) return rateLimited(waitSeconds);
    if (!await authentication.verifyPassword(current, hash)) return wrongPassword;
    await forgetAttempts(queries, attempts);
    return await act(hash);
  }, "own_change");
}

const noPassword = refused("invalid", "Your account has no password to sign in with.");

/** What a user sends to change their password. */
export interface PasswordChange {
  /** The present password. */
  current: string;
  password: string;
  /** Whether to end the user's other sessions. */
  endsOthers: boolean;
}

/**
 * Changes the password of a user who knows the present one, and deletes the link to reset it. Attempts
 * are limited, as a stranger at an open browser could guess, and so are changes, as each costs the server
 * much. Refused with `wrong_password`, `invalid` or `rate_limited`.
 *
 * @param sessionId the session that goes on.
 * @returns the ids of the sessions that ended.
 * @throws {BusyError} when too many other passwords are hashed, or one of this user is.
 */
export async function changeOwnPassword(
  parts: OwnPasswordParts,
  { id, sessionId }: { id: string; sessionId: string },
  { current, password: input, endsOthers }: PasswordChange,
  inTransaction: InTransaction<User>,
): Promise<Result<string[]>> {
  const password = newPasswordSchema.safeParse(input);
  if (!password.success) return { ...invalid(password.error), field: "password" };
  if (password.data === current) return samePassword;
  const { database, authentication } = parts;
  return await withOwnPassword(parts, id, current, async (hash): Promise<Result<string[]>> => {
    const untilNextChange = await takeAttempt(database.queries, changesOfOwnPassword(id));
    if (untilNextChange !== null) return rateLimited(untilNextChange);
    const passwordHash = await authentication.hashPassword(password.data);
    return await database.exclusively(async (transaction) => {
      const user = await findUser(transaction, id);
      // An admin may have reset it meanwhile.
      if (!user || await passwordHashOf(transaction, id) !== hash) return wrongPassword;
      await inTransaction(transaction, user);
      await storePassword(transaction, id, passwordHash);
      return done(endsOthers ? await endOtherSessions(transaction, id, sessionId) : []);
    });
  });
}

/** How long after signing in an account without a password can be deleted, in ms. */
const freshMs = 10 * 60 * 1_000;

/**
 * Whether the person who is signed in is the owner of the account, and not a stranger at an open browser: they know
 * the present password or, if the account has none, have just signed in. Attempts are limited with those to change
 * the password. Refused with `wrong_password` or `rate_limited`.
 *
 * @throws {BusyError} as {@link changeOwnPassword}.
 */
export async function confirmOwner(
  parts: OwnPasswordParts,
  { id, sessionId }: { id: string; sessionId: string },
  password: string,
  now = Date.now(),
): Promise<Result> {
  const { queries } = parts.database;
  if (!await hasPassword(queries, id)) {
    const session = await queries.selectFrom("session").select("createdAt")
      .where("id", "=", sessionId).where("userId", "=", id).executeTakeFirst();
    const isFresh = session !== undefined && now - Number(new Date(session.createdAt)) < freshMs;
    return isFresh ? done(undefined) : notFresh;
  }
  const nothing = () => Promise.resolve(done(undefined));
  const result = await withOwnPassword(parts, id, password, nothing);
  return !result.ok && result.reason === "wrong_password"
    ? { ...result, field: "confirm" }
    : result;
}

const notFresh = refused(
  "wrong_password",
  "Sign out and in again, and delete your account within ten minutes.",
);

const wrongPassword = refused("wrong_password", "This is not your current password.", "current");

const samePassword = refused(
  "invalid",
  "Choose a password that differs from the current one.",
  "password",
);
