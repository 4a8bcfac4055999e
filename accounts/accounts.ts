import { openAuthentication } from "./authentication.ts";
import type { Database } from "../database/database.ts";
import type { Result } from "./result.ts";
import { createFirstAdmin, isSetupToken, newSetupToken } from "./setup.ts";
import { endedSessions } from "./sessions.ts";
import { type SignIn, signIn } from "./sign_in.ts";
import {
  addUser,
  adminExists,
  type Alongside,
  findUser,
  findUsers,
  listUsers,
  resetPassword,
  type Role,
  setDisabled,
  setRole,
  type User,
} from "./users.ts";

export type { Refusal, RefusalReason, Result } from "./result.ts";
export type { SignIn } from "./sign_in.ts";
export type { Alongside, Role, User } from "./users.ts";

/** Someone is signed in. */
export interface Session {
  /** Opaque, another one at each sign-in. Not what the cookie holds. */
  id: string;
  user: User;
}

/**
 * Who may sign in, and who is signed in. Where a change takes `alongside`, it is written in the same
 * transaction: when it throws, nothing is changed and the error is handed on.
 */
export interface Accounts {
  /** The session of a request's cookies; null for none, an expired one or a disabled user. */
  session(headers: Headers): Promise<Session | null>;
  /**
   * Signs in. An unknown e-mail and a wrong password have the same answer at the same cost; that a
   * user is disabled is told to who knows the password only.
   *
   * Attempts are limited for each peer, and for each account over all peers that it does not know.
   *
   * @param peerAddress the client's address as the server sees it, never as the client says it.
   */
  signIn(input: { email: string; password: string }, peerAddress: string): Promise<SignIn>;
  /** Ends the session of a request's cookies; answers the Set-Cookie values that clear them. */
  signOut(headers: Headers): Promise<string[]>;

  /** Those of the sessions with these ids that are over, however they ended. */
  endedSessions(ids: readonly string[]): Promise<string[]>;

  /** Whether there is no admin yet. */
  needsSetup(): Promise<boolean>;
  /** A new one-time token to create the first admin with; the one before is no longer valid. */
  setupToken(): Promise<string>;
  /** Whether the first admin can be created with this token now. */
  checkSetupToken(token: string): Promise<boolean>;
  /** Uses the token up. Refused with `wrong_token`, `setup_done` or `invalid`. */
  createFirstAdmin(
    token: string,
    input: { name: string; email: string; password: string },
  ): Promise<Result<User>>;

  /** All users, by name. */
  list(): Promise<User[]>;
  /** The user with this id, or null. */
  find(id: string): Promise<User | null>;
  /** Those of the users with these ids whom there are, in no order. */
  findAll(ids: readonly string[]): Promise<User[]>;
  /** Refused with `email_taken` or `invalid`. */
  add(
    input: { name: string; email: string; password: string; role: Role },
    alongside?: Alongside,
  ): Promise<Result<User>>;
  /** Ends the sessions of who loses the role of admin. Refused with `not_found` or `last_admin`. */
  setRole(id: string, role: Role, alongside?: Alongside): Promise<Result>;
  /** Ends all sessions of the user. Refused with `not_found` or `invalid`. */
  resetPassword(id: string, password: string, alongside?: Alongside): Promise<Result>;
  /** Ends all sessions of who is disabled. Refused with `not_found` or `last_admin`. */
  setDisabled(id: string, disabled: boolean, alongside?: Alongside): Promise<Result>;
}

/** Where accounts are kept and how their cookies are made. */
export interface AccountsOptions {
  database: Database;
  /** Signs the session cookies: at least 32 random characters. Another secret ends all sessions. */
  secret: string;
  /** Where browsers reach the app. */
  appUrl: URL;
  /** Whether browsers may send the session cookie over https only. */
  secureCookies: boolean;
  /** Hears what goes wrong inside; a report without an error is of a refused sign-in. */
  reported?: (report: string, error?: Error) => void;
}

/** Opens the accounts that a database keeps. */
export async function openAccounts(options: AccountsOptions): Promise<Accounts> {
  const { database } = options;
  const authentication = await openAuthentication(options);
  const { hashPassword } = authentication;
  return {
    async session(headers) {
      const session = await authentication.session(headers);
      if (!session) return null;
      const user = await findUser(database.queries, session.userId);
      return user && !user.disabled ? { id: session.id, user } : null;
    },

    signIn: (input, peerAddress) => signIn(database, authentication, input, peerAddress),
    signOut: (headers) => authentication.signOut(headers),

    endedSessions: (ids) => endedSessions(database, ids),

    needsSetup: async () => !await adminExists(database.queries),
    setupToken: () => newSetupToken(database),
    checkSetupToken: (token) => isSetupToken(database, token),
    createFirstAdmin: (token, input) => createFirstAdmin(database, hashPassword, token, input),

    list: () => listUsers(database),
    find: (id) => findUser(database.queries, id),
    findAll: (ids) => findUsers(database.queries, ids),
    add: (input, alongside) => addUser(database, hashPassword, input, alongside),
    setRole: (id, role, alongside) => setRole(database, id, role, alongside),
    resetPassword: (id, password, alongside) =>
      resetPassword(database, hashPassword, id, password, alongside),
    setDisabled: (id, disabled, alongside) => setDisabled(database, id, disabled, alongside),
  };
}
