/**
 * The second factor of accounts with a password: one-time codes of an authenticator app (RFC 6238), passkeys
 * (WebAuthn), and recovery codes for people who have lost those. People who sign in with a provider are asked
 * there, and not here.
 *
 * `one_time_codes.ts` has the codes, `passkey_factors.ts` the passkeys, `pending_sign_in.ts` what a browser has between password and code.
 *
 * The promises: no session is opened before the second factor. A code works once, on all servers together. Guesses
 * are limited by account, and by client, on all servers together; those of strangers do not keep out a browser that
 * has signed in to the account before. The database has recovery codes as signatures and the secrets of apps
 * encrypted, both with the installation's secret, so a copy of it makes no code. Setting a second factor up or
 * taking it away requires the password. Setting one up ends the sessions that have not shown it. Once an account
 * has one, or everyone needs one, sessions without it no longer count.
 *
 * The trade-off: with another secret of the installation, all second factors have to be reset.
 *
 * @module
 */
import type { Kysely } from "kysely";
import { rateLimitKey } from "../net/window_limits.ts";
import type { Database } from "../database/database.ts";
import type { InTransaction, Tables } from "../database/schema.ts";
import { done, noSuchUser, rateLimited, refused, type Result } from "./account_fields.ts";
import type { Authentication } from "./authentication.ts";
import { type CodeSetup, newCodeSetup, openCodeSetup } from "./one_time_codes.ts";
import { withOwnPassword } from "./own_account.ts";
import {
  type FactorParts,
  type NewPasskey,
  type PasskeyAnswer,
  PasskeyFactors,
  type UsedPasskey,
} from "./passkey_factors.ts";
import type { StoredPasskey } from "./passkeys.ts";
import { userOfPendingSignIn } from "./pending_sign_in.ts";
import {
  addCodes,
  type CodeRecords,
  deleteSecondFactor,
  hasSecondFactor,
  type SecondFactor,
  secondFactorOf,
  setUpBefore,
  storeRecoveryCodes,
  tookTooLong,
  trustOnlySession,
  useCode,
} from "./second_factor_rows.ts";
import { endSessions } from "./sessions.ts";
import {
  attemptsAtSecondFactor,
  attemptsOfPeerAtSecondFactors,
  deviceIdOf,
  forgetAttempts,
  newDevice,
  returnAttempt,
  takeAttempt,
} from "./sign_in.ts";
import { findUser, type User } from "./users.ts";

export type { CodeSetup } from "./one_time_codes.ts";
export type { SecondFactor } from "./second_factor_rows.ts";

/** Where a second factor comes from. */
export interface SecondFactorClient {
  peerAddress: string;
  /** The browser's device cookie. */
  device?: string;
  userAgent: string;
}

/** A sign-in whose second factor was right. */
export interface SecondSignIn {
  user: User;
  cookies: string[];
  device: string;
}

/** What is recorded of a second factor, in the transaction of the change. */
export interface SecondFactorRecords {
  added: InTransaction<User>;
  passkeyAdded: (name: string) => InTransaction<User>;
  recoveryCodeUsed: InTransaction<User>;
}

const wrongPasskey = refused("wrong_code", "This passkey could not be verified. Try again.");
const noneSetUp = refused("not_found", "No second factor is set up.");
const isDisabled = refused("disabled", "This account is disabled. Contact an admin.");
const isRequiredHere = refused("invalid", "Everyone needs a second factor on this server.");

/** See the module. Changes run their `inTransaction` as those of accounts do. */
export class SecondFactors {
  readonly #database: Database;
  readonly #authentication: Authentication;
  readonly #parts: FactorParts;
  readonly #secret: string;
  /** Whether everyone who signs in with a password has to have one. */
  readonly isRequired: boolean;
  readonly passkeys: PasskeyFactors;

  constructor(parts: FactorParts) {
    this.#parts = parts;
    this.#database = parts.database;
    this.#authentication = parts.authentication;
    this.#secret = parts.secret;
    this.isRequired = parts.isRequired;
    this.passkeys = new PasskeyFactors(parts);
  }

  /** The second factor of a user; null for none. */
  async of(userId: string): Promise<SecondFactor | null> {
    return await secondFactorOf(this.#database.queries, userId);
  }

  /** Begins to set codes up, for the page that shows them; nothing is stored. */
  begin(user: { id: string; email: string }, now = Date.now()): CodeSetup {
    return newCodeSetup(this.#secret, user, now);
  }

  /** The set-up that a form came back with, to show it again; a new one when it took too long. */
  resume(user: { id: string; email: string }, sealed: string, now = Date.now()): CodeSetup {
    return openCodeSetup(this.#secret, user, sealed, now) ?? this.begin(user, now);
  }

  /**
   * Sets codes up for a signed-in user, or replaces those of a phone that is lost, and ends the other sessions, which
   * have not shown them. Refused with `wrong_password`, `wrong_code`, `invalid`, `unknown_link` or `rate_limited`.
   *
   * @returns the recovery codes, which cannot be shown again, and the ids of the sessions that ended.
   * @throws {BusyError} when too many other passwords are hashed.
   */
  async setUp(
    { id: sessionId, user: { id: userId } }: { id: string; user: { id: string } },
    { current, ...form }: { sealed: string; code: string; current: string },
    records: CodeRecords,
    now = Date.now(),
  ): Promise<Result<{ codes: string[]; ended: string[] }>> {
    return await withOwnPassword(this.#parts, userId, current, async () => {
      return await this.#database.exclusively(async (transaction) => {
        const user = await findUser(transaction, userId);
        if (!user) return noSuchUser;
        const added = await addCodes(transaction, this.#secret, user, { ...form, now }, records);
        if (!added.ok) return added;
        return done(await trustOnlySession(transaction, this.#secret, { userId, sessionId }));
      });
    });
  }

  /** Replaces the recovery codes. Refused with `wrong_password`, `not_found` or `rate_limited`. */
  async replaceRecoveryCodes(
    id: string,
    current: string,
    inTransaction: InTransaction<User>,
  ): Promise<Result<string[]>> {
    return await withOwnPassword(
      this.#parts,
      id,
      current,
      () =>
        this.#database.exclusively(async (transaction) => {
          const user = await findUser(transaction, id);
          if (!user || !await hasSecondFactor(transaction, id)) return noneSetUp;
          await inTransaction(transaction, user);
          return done(await storeRecoveryCodes(transaction, this.#secret, id));
        }),
    );
  }

  /** Takes a user's own second factor away. Refused with `invalid` where everyone needs one, else as above. */
  async remove(
    id: string,
    current: string,
    inTransaction: InTransaction<User>,
  ): Promise<Result> {
    if (this.isRequired) return isRequiredHere;
    return await withOwnPassword(this.#parts, id, current, () => this.#removeOf(id, inTransaction));
  }

  /** Takes the second factor of a user away who lost it, and signs them out everywhere. */
  async reset(id: string, inTransaction: InTransaction<User>): Promise<Result> {
    return await this.#removeOf(
      id,
      async (transaction, user) => {
        await inTransaction(transaction, user);
        await endSessions(transaction, id);
      },
    );
  }

  /** The user of a ticket, and whether they have a second factor; null when the ticket no longer works. */
  async pending(
    ticket: string | undefined,
    now = Date.now(),
  ): Promise<{ user: User; hasFactor: boolean } | null> {
    const { queries } = this.#database;
    const user = await userOfPendingSignIn(queries, this.#secret, ticket, now);
    return user && { user, hasFactor: await hasSecondFactor(queries, user.id) };
  }

  /**
   * Signs in with a code of an app, or a recovery code, after the password. Refused with `wrong_code`, `disabled`,
   * `unknown_link` when the ticket no longer works, or `rate_limited`.
   */
  async signIn(
    ticket: string | undefined,
    code: string,
    client: SecondFactorClient,
    { recoveryCodeUsed }: SecondFactorRecords,
    now = Date.now(),
  ): Promise<Result<SecondSignIn>> {
    return await this.#afterPassword(
      ticket,
      client,
      now,
      (transaction, user) =>
        useCode(transaction, this.#secret, user, { code, now }, recoveryCodeUsed),
    );
  }

  /** Signs in with a passkey after the password. Refused as {@link signIn}. @param origin of the page that asked. */
  async signInWithPasskey(
    ticket: string | undefined,
    answer: PasskeyAnswer,
    origin: string,
    client: SecondFactorClient,
    now = Date.now(),
  ): Promise<Result<SecondSignIn>> {
    let used: UsedPasskey | null = null;
    const check = async (transaction: Kysely<Tables>, { id }: User) =>
      used ? await this.passkeys.use(transaction, id, used) : wrongPasskey;
    return await this.#afterPassword(ticket, client, now, check, async ({ id }) => {
      used = await this.passkeys.verified(id, answer, origin, now);
    });
  }

  /**
   * Sets codes up between password and session, where everyone needs a second factor, and signs in. Refused as
   * {@link signIn}.
   *
   * @returns the recovery codes too, which cannot be shown again.
   */
  async signInWithSetup(
    ticket: string | undefined,
    form: { sealed: string; code: string },
    client: SecondFactorClient,
    { added }: SecondFactorRecords,
    now = Date.now(),
  ): Promise<Result<SecondSignIn & { codes: string[] }>> {
    const add = (transaction: Kysely<Tables>, user: User) =>
      addCodes(transaction, this.#secret, user, { ...form, now }, { added });
    return await this.#afterFirst(ticket, client, now, add);
  }

  /** Adds a passkey between password and session, as {@link signInWithSetup} does codes. */
  async signInWithNewPasskey(
    ticket: string | undefined,
    form: NewPasskey,
    client: SecondFactorClient,
    { passkeyAdded }: SecondFactorRecords,
    now = Date.now(),
  ): Promise<Result<SecondSignIn & { codes: string[] }>> {
    let made: StoredPasskey | null = null;
    const add = async (transaction: Kysely<Tables>, user: User): Promise<Result<unknown>> => {
      if (made === null) return wrongPasskey;
      const { name } = form;
      return await this.passkeys.insert(
        transaction,
        user,
        { ...made, name, now },
        passkeyAdded(name),
      );
    };
    return await this.#afterFirst(ticket, client, now, add, async ({ id }) => {
      made = await this.passkeys.made(id, form, now);
    });
  }

  /** Signs in who has set a first second factor up, and ends all sessions from before. */
  async #afterFirst(
    ticket: string | undefined,
    client: SecondFactorClient,
    now: number,
    add: (transaction: Kysely<Tables>, user: User) => Promise<Result<unknown>>,
    before?: (user: User) => Promise<void>,
  ): Promise<Result<SecondSignIn & { codes: string[] }>> {
    let codes: string[] = [];
    const check = async (transaction: Kysely<Tables>, user: User) => {
      if (await hasSecondFactor(transaction, user.id)) return setUpBefore;
      const added = await add(transaction, user);
      if (!added.ok) return added;
      codes = await storeRecoveryCodes(transaction, this.#secret, user.id);
      await endSessions(transaction, user.id);
      return added;
    };
    const signedIn = await this.#afterPassword(ticket, client, now, check, before);
    return signedIn.ok ? done({ ...signedIn.value, codes }) : signedIn;
  }

  async #afterPassword(
    ticket: string | undefined,
    { peerAddress, device, userAgent }: SecondFactorClient,
    now: number,
    check: (transaction: Kysely<Tables>, user: User) => Promise<Result<unknown>>,
    before?: (user: User) => Promise<void>,
  ): Promise<Result<SecondSignIn>> {
    const { queries } = this.#database;
    const pending = await userOfPendingSignIn(queries, this.#secret, ticket, now);
    if (!pending) return tookTooLong;
    const { id, email } = pending;
    const peer = rateLimitKey(peerAddress);
    const ofPeer = attemptsOfPeerAtSecondFactors(peer);
    const isKnown = deviceIdOf(this.#secret, email, device) !== null;
    const ofAccount = attemptsAtSecondFactor(id, isKnown);
    for (const attempts of [ofPeer, ofAccount]) {
      const waitSeconds = await takeAttempt(queries, attempts);
      if (waitSeconds !== null) return rateLimited(waitSeconds);
    }
    await before?.(pending);
    const checked = await this.#database.exclusively(async (transaction) => {
      const user = await userOfPendingSignIn(transaction, this.#secret, ticket, now);
      return user ? await check(transaction, user) : tookTooLong;
    });
    if (!checked.ok) return checked;
    await returnAttempt(queries, ofPeer);
    await forgetAttempts(queries, ofAccount);
    const cookies = await this.#authentication.startSession(id, {
      peer,
      userAgent,
      vouchedBy: "second_factor",
    });
    if (cookies === null) return isDisabled;
    return done({
      user: pending,
      cookies,
      device: isKnown && device !== undefined ? device : newDevice(this.#secret, email),
    });
  }

  async #removeOf(id: string, inTransaction: InTransaction<User>): Promise<Result> {
    return await this.#database.exclusively(async (transaction) => {
      const user = await findUser(transaction, id);
      if (!user) return noSuchUser;
      if (!await hasSecondFactor(transaction, id)) return noneSetUp;
      await inTransaction(transaction, user);
      await deleteSecondFactor(transaction, id);
      return done(undefined);
    });
  }
}
