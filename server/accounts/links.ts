import type { Kysely } from "kysely";
import {
  type AccountLink,
  type Invite,
  type NewLink,
  openInvites,
  openResetLink,
  type ResetLink,
  revokeLink,
} from "./account_links.ts";
import type { Database } from "../database/database.ts";
import type { InTransaction, Tables } from "../database/schema.ts";
import {
  acceptInvite,
  createForgottenLink,
  createInvite,
  createResetLink,
  followResetLink,
  inviteOf,
  userToReset,
} from "./invites.ts";
import { rateLimitKey } from "../net/window_limits.ts";
import { LinkLookup } from "./link_token.ts";
import { done, rateLimited, type Result, unknownLink } from "./account_fields.ts";
import type { User } from "./users.ts";
import type { Limits } from "@/shared/permissions.ts";

export type { AccountLink, Invite, NewLink, ResetLink } from "./account_links.ts";

/**
 * The links with which people get an account or a new password: an admin makes one and passes it on, or has it
 * sent, and who forgot the password has one sent. A link works once and for a day. It ends when an admin revokes it or makes another for
 * the same person, and when the admin who made it is no longer one.
 */
export class AccountLinks {
  readonly #database: Database;
  readonly #hashPassword: (password: string, client: string) => Promise<string>;
  readonly #lookup = new LinkLookup();

  /** @param hashPassword its second argument says who causes the work. */
  constructor(
    database: Database,
    hashPassword: (password: string, client: string) => Promise<string>,
  ) {
    this.#database = database;
    this.#hashPassword = hashPassword;
  }

  /** See {@link createInvite}. */
  invite(
    input: { email: string; role: string; limits: Limits; createdBy: string },
    inTransaction: InTransaction<{ id: string; name: string }>,
  ): Promise<Result<NewLink<Invite>>> {
    return createInvite(this.#database, input, inTransaction);
  }

  /** See {@link createResetLink}. */
  reset(
    input: { userId: string; createdBy: string },
    inTransaction: InTransaction<User>,
  ): Promise<Result<NewLink<ResetLink>>> {
    return createResetLink(this.#database, input, inTransaction);
  }

  /** See {@link createForgottenLink}. */
  forgotten(
    email: string,
    inTransaction: InTransaction<User>,
  ): Promise<NewLink<ResetLink> | null> {
    return createForgottenLink(this.#database, email, inTransaction);
  }

  /**
   * The invitation of a token. Refused with `unknown_link`, or with `rate_limited` when its peer has sent
   * too many wrong ones.
   */
  invited(token: string, peerAddress: string): Promise<Result<Invite>> {
    return this.#look(peerAddress, (queries) => inviteOf(queries, token, Date.now()));
  }

  /** The user whose password a token resets; refused as {@link invited} is. */
  userToReset(token: string, peerAddress: string): Promise<Result<User>> {
    return this.#look(peerAddress, (queries) => userToReset(queries, token, Date.now()));
  }

  /** See {@link acceptInvite}. */
  accept(
    input: { token: string; name: string; password: string },
    peerAddress: string,
    inTransaction: (transaction: Kysely<Tables>, user: User, invite: Invite) => Promise<void>,
  ): Promise<Result<User>> {
    return acceptInvite(this.#database, this.#hashFor(peerAddress), input, inTransaction);
  }

  /** See {@link followResetLink}. */
  follow(
    input: { token: string; password: string },
    peerAddress: string,
    inTransaction: InTransaction<User>,
  ): Promise<Result<User>> {
    return followResetLink(
      this.#database,
      this.#hashFor(peerAddress),
      input,
      inTransaction,
    );
  }

  /** See {@link openInvites}. */
  invites(): Promise<Invite[]> {
    return openInvites(this.#database.queries, Date.now());
  }

  /** See {@link openResetLink}. */
  resetLink(userId: string): Promise<ResetLink | null> {
    return openResetLink(this.#database.queries, userId, Date.now());
  }

  /** See {@link revokeLink}. */
  revoke(
    id: string,
    inTransaction: (transaction: Kysely<Tables>, link: AccountLink) => Promise<void>,
  ): Promise<AccountLink | null> {
    return revokeLink(this.#database, id, inTransaction);
  }

  async #look<Found>(
    peerAddress: string,
    find: (queries: Kysely<Tables>) => Promise<Found | null>,
  ): Promise<Result<Found>> {
    const found = await this.#lookup.find(peerAddress, () => find(this.#database.queries));
    if (found.ok) return done(found.link);
    return found.retryAfterSeconds === null ? unknownLink : rateLimited(found.retryAfterSeconds);
  }

  #hashFor(peerAddress: string) {
    const client = rateLimitKey(peerAddress);
    return (password: string) => this.#hashPassword(password, client);
  }
}
