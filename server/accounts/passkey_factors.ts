import type { Kysely } from "kysely";
import { text } from "@/shared/language.ts";
import { z } from "zod";
import type { InTransaction, Tables } from "../database/schema.ts";
import { done, noSuchUser, refused, type Result } from "./account_fields.ts";
import { type OwnPasswordParts, withOwnPassword } from "./own_account.ts";
import {
  askNewPasskey,
  askPasskey,
  challengeOf,
  counterOf,
  mostPasskeys,
  newPasskeyOf,
  type PasskeyAnswer,
  passkeyIdOf,
  passkeyName,
  type PasskeyQuestion,
  type StoredPasskey,
} from "./passkeys.ts";
import { deleteSecondFactor, hasSecondFactor, trustOnlySession } from "./second_factor_rows.ts";
import { takeAttempt, usesOfPasskeyChallenge } from "./sign_in.ts";
import { findUser, type User } from "./users.ts";

export type { PasskeyAnswer, PasskeyQuestion } from "./passkeys.ts";

/** A passkey whose answer was right. */
export interface UsedPasskey {
  id: string;
  before: number;
  counter: number;
}

/** A new passkey, as a form brings it back. */
export interface NewPasskey extends PasskeyAnswer {
  name: string;
  /** Of the page that asked. */
  origin: string;
}

/** What second factors need. */
export interface FactorParts extends OwnPasswordParts {
  /** The installation's. */
  secret: string;
  /** Whether everyone who signs in with a password has to have one. */
  isRequired: boolean;
}

const rowSchema = z.object({
  id: z.string(),
  publicKey: z.string(),
  counter: z.coerce.number(),
  transports: z.string(),
});

const notVerified = refused("wrong_code", "This passkey could not be verified. Try again.");
const tooMany = () =>
  refused("too_many", text`You have ${mostPasskeys} passkeys. Remove one first.`);
const isTaken = refused("invalid", "This passkey is already set up.");
const noSuchPasskey = refused("not_found", "This passkey is no longer set up.");
const lastOne = refused("invalid", "Everyone needs a second factor here, and this is your last.");

/**
 * Passkeys as second factors (WebAuthn): a phone, a computer or a security key signs what the server asks. The
 * server has public keys only. An answer works once, on all servers together, and for the address of the pages only.
 */
export class PasskeyFactors {
  readonly #parts: FactorParts;

  constructor(parts: FactorParts) {
    this.#parts = parts;
  }

  /** What a page asks the browser for a new passkey; `origin` is the page's. */
  async askNew(user: User, origin: string, now = Date.now()): Promise<PasskeyQuestion> {
    const present = await this.#of(user.id);
    return await askNewPasskey(this.#parts.secret, user, present, origin, now);
  }

  /** What a page asks the browser that is to sign in; null for a user without passkeys. */
  async ask(userId: string, origin: string, now = Date.now()): Promise<PasskeyQuestion | null> {
    const present = await this.#of(userId);
    if (present.length === 0) return null;
    return await askPasskey(this.#parts.secret, userId, present, origin, now);
  }

  /**
   * Adds a passkey for a signed-in user who knows the password. With the first second factor come recovery codes,
   * and the end of other sessions. Refused with `wrong_password`, `wrong_code`, `too_many`, `invalid` or
   * `rate_limited`.
   *
   * @returns the recovery codes, which cannot be shown again, if they are new; and the sessions that ended.
   */
  async add(
    { id: sessionId, user: { id } }: { id: string; user: { id: string } },
    form: NewPasskey & { current: string },
    inTransaction: InTransaction<User>,
    now = Date.now(),
  ): Promise<Result<{ codes: string[]; ended: string[] }>> {
    return await withOwnPassword(this.#parts, id, form.current, async () => {
      const passkey = await this.made(id, form, now);
      if (passkey === null) return notVerified;
      return await this.#parts.database.exclusively(async (transaction) => {
        const user = await findUser(transaction, id);
        if (!user) return noSuchUser;
        const isFirst = !await hasSecondFactor(transaction, id);
        const named = { ...passkey, name: form.name, now };
        const inserted = await this.insert(transaction, user, named, inTransaction);
        if (!inserted.ok) return inserted;
        if (!isFirst) return done({ codes: [], ended: [] });
        const { secret } = this.#parts;
        return done(await trustOnlySession(transaction, secret, { userId: id, sessionId }));
      });
    });
  }

  /** The new passkey of a form, if all of it is right. Takes no transaction, and uses the answer up. */
  async made(
    userId: string,
    { sealed, response, origin }: PasskeyAnswer & { origin: string },
    now: number,
  ): Promise<StoredPasskey | null> {
    const challenge = await this.#challenge("new passkey", userId, sealed, now);
    return challenge === null ? null : await newPasskeyOf(challenge, response, origin);
  }

  /** Stores a passkey of {@link made}. Refused with `too_many` or `invalid`. */
  async insert(
    transaction: Kysely<Tables>,
    user: User,
    { name, now, ...passkey }: StoredPasskey & { name: string; now: number },
    inTransaction: InTransaction<User>,
  ): Promise<Result> {
    const others = await passkeysOf(transaction, user.id);
    if (others.length >= mostPasskeys) return tooMany();
    const row = { ...passkey, userId: user.id, name: passkeyName(name), createdAt: now };
    const taken = await transaction.selectFrom("passkey").select("id").where("id", "=", row.id)
      .executeTakeFirst();
    if (taken) return isTaken;
    // Before the session lacks what its user has from now on.
    await inTransaction(transaction, user);
    await transaction.insertInto("passkey").values(row).execute();
    return done(undefined);
  }

  /** Takes a passkey of a user away. With the last second factor go the recovery codes. */
  async remove(
    userId: string,
    { id, current }: { id: string; current: string },
    inTransaction: InTransaction<User>,
  ): Promise<Result> {
    return await withOwnPassword(
      this.#parts,
      userId,
      current,
      () =>
        this.#parts.database.exclusively(async (transaction) => {
          const user = await findUser(transaction, userId);
          const passkeys = await passkeysOf(transaction, userId);
          if (!user || !passkeys.some((one) => one.id === id)) return noSuchPasskey;
          const codes = await transaction.selectFrom("oneTimeCode").select("userId")
            .where("userId", "=", userId).executeTakeFirst();
          const isLast = passkeys.length === 1 && codes === undefined;
          if (isLast && this.#parts.isRequired) return lastOne;
          await inTransaction(transaction, user);
          await transaction.deleteFrom("passkey").where("id", "=", id)
            .where("userId", "=", userId).execute();
          if (isLast) await deleteSecondFactor(transaction, userId);
          return done(undefined);
        }),
    );
  }

  /** The passkey of an answer that is right; null for any other. Takes no transaction, and uses the answer up. */
  async verified(
    userId: string,
    { sealed, response }: PasskeyAnswer,
    origin: string,
    now: number,
  ): Promise<UsedPasskey | null> {
    const id = passkeyIdOf(response);
    const passkey = (await this.#of(userId)).find((one) => one.id === id);
    const challenge = await this.#challenge("passkey", userId, sealed, now);
    if (!passkey || challenge === null) return null;
    const counter = await counterOf(passkey, challenge, response, origin);
    return counter === null ? null : { id: passkey.id, before: passkey.counter, counter };
  }

  /** Stores the use of a passkey. Refused when it was taken away, or used at the same time. */
  async use(
    transaction: Kysely<Tables>,
    userId: string,
    { id, before, counter }: UsedPasskey,
  ): Promise<Result> {
    const used = await transaction.updateTable("passkey").set({ counter })
      .where("id", "=", id).where("userId", "=", userId).where("counter", "=", before)
      .returning("id").executeTakeFirst();
    return used ? done(undefined) : notVerified;
  }

  async #challenge(
    purpose: "new passkey" | "passkey",
    userId: string,
    sealed: string,
    now: number,
  ): Promise<string | null> {
    const challenge = challengeOf(this.#parts.secret, purpose, userId, sealed, now);
    if (challenge === null) return null;
    const { queries } = this.#parts.database;
    const isUsed = await takeAttempt(queries, usesOfPasskeyChallenge(challenge)) !== null;
    return isUsed ? null : challenge;
  }

  #of(userId: string): Promise<StoredPasskey[]> {
    return passkeysOf(this.#parts.database.queries, userId);
  }
}

async function passkeysOf(queries: Kysely<Tables>, userId: string): Promise<StoredPasskey[]> {
  const rows = await queries.selectFrom("passkey")
    .select(["id", "publicKey", "counter", "transports"])
    .where("userId", "=", userId).orderBy("createdAt").execute();
  return rows.map((row) => rowSchema.parse(row));
}
