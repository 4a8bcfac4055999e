/**
 * Users who can sign in, their sessions, and the links by which people get an account or a new password.
 *
 * `Accounts` is all that the rest of the program uses. `authentication.ts` hides better-auth, which checks
 * passwords and keeps sessions; `sign_in.ts` limits attempts; `users.ts`, `invites.ts` and `links.ts` are
 * tables; `provider_accounts.ts` has people whom an OpenID Connect provider signs in, and `second_factors.ts` what
 * is asked for after a password; `guest.ts` has people without an account, and `csrf_token.ts` the tokens of forms. `digest.ts` signs
 * with the installation's secret, each purpose on its own.
 *
 * The promises: the database has hashes only, of passwords, session tokens and links, so that a copy of it lets no
 * one sign in. An unknown email and a wrong password give the same answer after the same time. Guesses by strangers
 * do not lock out a browser that has signed in before. A new password, a lost role or a disabled account ends
 * sessions in the same transaction. A session that was opened with the password alone no longer counts once a
 * second factor is set up or required. The last admin stays an admin. A change runs its `inTransaction` in its
 * transaction, and is undone when that throws.
 *
 * Passwords are hashed with scrypt, which takes 0.1 s of CPU: `PasswordWork` bounds how many run at a time,
 * so that strangers who send many forms keep no one out for long, and rejects the others with `BusyError`.
 *
 * The trade-off: a session is looked up in the database for each request. It costs two queries, and a session
 * that ends anywhere is over at once; sockets follow at once, or within five seconds where the command line
 * did it.
 *
 * @module
 */
import type { InTransaction } from "../database/schema.ts";
import { openAuthentication, type PasswordHashing } from "./authentication.ts";
import type { Database } from "../database/database.ts";
import type { Result } from "./account_fields.ts";
import { hasPassword, PasswordWork } from "./passwords.ts";
import { createFirstAdmin, isSetupToken, newSetupToken, sharedSetupToken } from "./setup.ts";
import { AccountLinks } from "./links.ts";
import {
  changeOwnLanguage,
  changeOwnName,
  changeOwnPassword,
  confirmOwner,
  type PasswordChange,
} from "./own_account.ts";
import {
  endedSessions,
  endOtherSessions,
  endSession,
  type OpenSession,
  openSessions,
  SessionUse,
} from "./sessions.ts";
import {
  type Admitted,
  admitVouchee,
  dismissVouchee,
  type ProviderRecords,
  type Vouchee,
} from "./provider_accounts.ts";
import type { Limits } from "@/shared/permissions.ts";
import { rateLimitKey } from "../net/window_limits.ts";
import { SecondFactors } from "./second_factors.ts";
import { newDevice, type SignIn, signIn } from "./sign_in.ts";
import {
  addUser,
  adminExists,
  findSessionUser,
  findUser,
  findUsers,
  listUsers,
  type NamedUser,
  resetPassword,
  type Role,
  setDisabled,
  setLimits,
  setRole,
  type User,
} from "./users.ts";

export type { AccountLinks, Invite, ResetLink } from "./links.ts";
export type { PasswordChange } from "./own_account.ts";
export type { Failure, FailureReason, Result } from "./account_fields.ts";
export type { OpenSession } from "./sessions.ts";
export type { SignIn } from "./sign_in.ts";
export type { NamedUser, Role, User } from "./users.ts";

/** A user is signed in. */
export interface Session {
  /** Opaque, and new at each sign-in. It is not the token in the cookie. */
  id: string;
  user: User;
}

/**
 * The users who can sign in, and their sessions. A change runs its `inTransaction` in the same transaction:
 * when that throws, nothing is changed and the error is rethrown. What hashes a password rejects with a
 * `BusyError` when too many others do.
 */
export interface Accounts {
  /** The session of a request's cookies; null when there is none, it has expired or the user is disabled. */
  session(headers: Headers): Promise<Session | null>;
  /**
   * Signs in. An unknown email and a wrong password give the same outcome after the same time; `disabled`
   * is the outcome only when the password is right.
   *
   * Attempts are limited per peer, and per account over all unknown peers. A browser that has signed in
   * to the account before has attempts of its own, which no one else can use up.
   *
   * @param peerAddress the client's address as the server sees it, never as the client states it.
   * @param device the browser's device cookie: what `signIn` returned at its last success.
   * @param userAgent what the browser states of itself, for the list of the user's sessions.
   */
  signIn(
    input: { email: string; password: string },
    peerAddress: string,
    device?: string,
    userAgent?: string,
  ): Promise<SignIn>;
  /** See {@link admitVouchee}. */
  admitVouchee(
    person: Vouchee & { role: Role },
    records: ProviderRecords,
  ): Promise<Result<Admitted>>;
  /** See {@link dismissVouchee}. */
  dismissVouchee(person: Vouchee, records: ProviderRecords): Promise<User | null>;
  /** Signs a user in whom a provider has identified. The session lasts `seconds`. */
  signInVouchee(
    user: User,
    from: { peerAddress: string; userAgent: string; seconds: number },
  ): Promise<SignIn>;
  /** Ends the session of a request's cookies. @returns the Set-Cookie values that clear them. */
  signOut(headers: Headers): Promise<string[]>;

  /** A user's open sessions, those seen last first; at most 100. */
  openSessions(userId: string): Promise<OpenSession[]>;
  /** Ends a session of a user. @returns whether the user had it. */
  endSession(userId: string, id: string): Promise<boolean>;
  /** Ends all sessions of a user but one. @returns the ids of the ended sessions. */
  endOtherSessions(userId: string, keptId: string): Promise<string[]>;
  /** See {@link changeOwnName}. */
  changeOwnName(id: string, name: string, inTransaction: InTransaction<User>): Promise<Result>;
  /** See {@link changeOwnLanguage}. */
  changeOwnLanguage(id: string, language: string | null): Promise<Result>;
  /** See {@link changeOwnPassword}. */
  changeOwnPassword(
    session: Session,
    change: PasswordChange,
    inTransaction: InTransaction<User>,
  ): Promise<Result<string[]>>;
  /** See {@link confirmOwner}. */
  confirmOwner(session: Session, password: string): Promise<Result>;
  /** See {@link hasPassword}. */
  hasPassword(id: string): Promise<boolean>;
  /** The links with which people get an account or a new password. */
  readonly links: AccountLinks;
  /** What is asked for after the password. */
  readonly secondFactors: SecondFactors;

  /** The ids of these sessions that have ended, in whatever way. */
  endedSessions(ids: readonly string[]): Promise<string[]>;

  /** Whether no admin exists yet. */
  needsSetup(): Promise<boolean>;
  /**
   * A new one-time token for creating the first admin. It replaces the previous one, unless it is shared:
   * then all servers get the same one.
   */
  setupToken(options?: { isShared: boolean }): Promise<string>;
  /** Whether the first admin can be created with this token now. */
  checkSetupToken(token: string): Promise<boolean>;
  /** Creates the first admin and uses the token up. Refused with `wrong_token`, `setup_done` or `invalid`. */
  createFirstAdmin(
    token: string,
    input: { name: string; email: string; password: string },
  ): Promise<Result<User>>;

  /** All users, by name. */
  list(): Promise<User[]>;
  /** The user with this id, or null. */
  find(id: string): Promise<User | null>;
  /** The users that exist among these ids, in no particular order. */
  findAll(ids: readonly string[]): Promise<NamedUser[]>;
  /** Adds a user. Refused with `email_taken` or `invalid`. */
  add(
    input: { name: string; email: string; password: string; role: Role },
    inTransaction?: InTransaction<User>,
  ): Promise<Result<User>>;
  /** Ends the sessions of a user who loses a permission with it. Refused with `not_found` or `last_admin`. */
  setRole(id: string, role: Role, inTransaction?: InTransaction<User>): Promise<Result>;
  /** See {@link setLimits}. Refused with `not_found` or `invalid`. */
  setLimits(id: string, limits: Limits, change?: InTransaction<User>): Promise<Result<boolean>>;
  /** Ends all sessions of the user. Refused with `not_found` or `invalid`. */
  resetPassword(id: string, password: string, inTransaction?: InTransaction<User>): Promise<Result>;
  /** Ends all sessions of a user who gets disabled. Refused with `not_found` or `last_admin`. */
  setDisabled(id: string, disabled: boolean, inTransaction?: InTransaction<User>): Promise<Result>;
}

/** Where accounts are stored and how their cookies are made. */
export interface AccountsOptions {
  database: Database;
  /** Signs the session cookies: at least 32 random characters. A new secret ends all sessions. */
  secret: string;
  /** Where browsers reach the app. */
  appUrl: URL;
  /** Whether browsers may send the session cookie over https only. */
  secureCookies: boolean;
  /** Whether everyone who signs in with a password has to have a second factor; otherwise they may. */
  requiresSecondFactor?: boolean;
  /** Stands in for scrypt in tests, most of whose time it would take; no setting leads here. */
  passwordHashing?: PasswordHashing;
  /** Bounds what passwords cause at the same time. */
  passwordWork?: PasswordWork;
  /** Called with internal failures; a report without an error is of a refused sign-in. */
  reported?: (report: string, error?: Error) => void;
}

/** Opens the accounts that a database holds. @throws {Error} when its tables do not match. */
export async function openAccounts(options: AccountsOptions): Promise<Accounts> {
  const { database } = options;
  const authentication = await openAuthentication(options);
  const { passwordWork = new PasswordWork() } = options;
  const hashPassword = (password: string) =>
    passwordWork.run("admins", () => authentication.hashPassword(password), "admin");
  const hashFor = (password: string, client: string) =>
    passwordWork.run(client, () => authentication.hashPassword(password));
  const sessionUse = new SessionUse(database);
  const { requiresSecondFactor: isRequired = false, secret } = options;
  const signInParts = { database, authentication, passwordWork, secret, isRequired };
  const secondFactors = new SecondFactors(signInParts);
  return {
    async session(headers) {
      const session = await authentication.session(headers);
      if (!session) return null;
      const user = await findSessionUser(database.queries, session.id, isRequired);
      if (!user) return null;
      await sessionUse.record(session);
      return { id: session.id, user };
    },

    signIn: (input, peerAddress, device, userAgent) =>
      signIn(signInParts, input, { peerAddress, device, userAgent }),
    admitVouchee: (person, records) => admitVouchee(database, person, records),
    dismissVouchee: (person, records) => dismissVouchee(database, person, records),
    async signInVouchee({ id, email }, { peerAddress, userAgent, seconds }) {
      const peer = rateLimitKey(peerAddress);
      const from = { peer, userAgent, seconds, vouchedBy: "provider" } as const;
      const cookies = await authentication.startSession(id, from);
      if (cookies === null) return { ok: false, reason: "disabled" };
      return { ok: true, cookies, device: newDevice(options.secret, email) };
    },
    signOut: (headers) => authentication.signOut(headers),

    openSessions: (userId) => openSessions(database, userId, isRequired),
    endSession: (userId, id) => endSession(database, userId, id),
    endOtherSessions: (userId, keptId) => endOtherSessions(database.queries, userId, keptId),
    changeOwnName: (id, name, inTransaction) => changeOwnName(database, id, name, inTransaction),
    changeOwnLanguage: (id, language) => changeOwnLanguage(database, id, language),
    changeOwnPassword: ({ id: sessionId, user: { id } }, change, inTransaction) =>
      changeOwnPassword(signInParts, { id, sessionId }, change, inTransaction),
    confirmOwner: ({ id: sessionId, user: { id } }, password) =>
      confirmOwner(signInParts, { id, sessionId }, password),
    hasPassword: (id) => hasPassword(database.queries, id),
    links: new AccountLinks(database, hashFor),
    secondFactors,

    endedSessions: (ids) => endedSessions(database, ids, isRequired),

    needsSetup: async () => !await adminExists(database.queries),
    setupToken: ({ isShared } = { isShared: false }) =>
      isShared ? sharedSetupToken(database, options.secret) : newSetupToken(database),
    checkSetupToken: (token) => isSetupToken(database, token),
    createFirstAdmin: (token, input) => createFirstAdmin(database, hashPassword, token, input),

    list: () => listUsers(database),
    find: (id) => findUser(database.queries, id),
    findAll: (ids) => findUsers(database.queries, ids),
    add: (input, inTransaction) => addUser(database, hashPassword, input, inTransaction),
    setRole: (id, role, inTransaction) => setRole(database, id, role, inTransaction),
    setLimits: (id, limits, inTransaction) => setLimits(database, id, limits, inTransaction),
    resetPassword: (id, password, inTransaction) =>
      resetPassword(database, hashPassword, id, password, inTransaction),
    setDisabled: (id, disabled, inTransaction) =>
      setDisabled(database, id, disabled, inTransaction),
  };
}
