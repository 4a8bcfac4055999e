import type { Kysely } from "kysely";
import { randomBytes } from "node:crypto";
import { done, type Failure, refused, type Result } from "./account_fields.ts";
import type { Database } from "../database/database.ts";
import type { InTransaction, Tables } from "../database/schema.ts";
import { endSessions } from "./sessions.ts";
import { findUser, insertUser, setRole, type User, userWithEmail } from "./users.ts";
import type { Role } from "@/shared/permissions.ts";

/** A person for whom a provider vouches. */
export interface Vouchee {
  /** The provider's name for itself. */
  issuer: string;
  /** The provider's id of the person. */
  subject: string;
  /** Verified, in lower case. */
  email: string;
  name: string;
}

/** What is recorded of a person whom a provider signs in, in the transaction of the change. */
export interface ProviderRecords {
  added: InTransaction<User>;
  linked: InTransaction<User>;
  roleChanged(before: Role, after: Role): InTransaction<User>;
}

/** A user whom a provider has signed in, and the role before; null for a new one. */
export interface Admitted {
  user: User;
  before: Role | null;
}

/**
 * The account of a person, with the role that the provider gives: the one that is linked to the provider's
 * account; else the one with the email, which is linked; else a new one, without a password.
 *
 * One who loses a permission with it loses the sessions too. Refused with `disabled`, `last_admin`, or
 * `email_taken` when another account of the provider is linked to the one with the email.
 */
export async function admitVouchee(
  database: Database,
  person: Vouchee & { role: Role },
  records: ProviderRecords,
): Promise<Result<Admitted>> {
  const found = await database.exclusively((transaction) =>
    findOrAdd(transaction, person, records)
  );
  if (!found.ok) return found;
  const { user, before } = found.value;
  if (user.disabled) return refused("disabled", "This account is disabled. Contact an admin.");
  if (user.role === person.role) return found;
  const changed = await setRole(
    database,
    user.id,
    person.role,
    records.roleChanged(user.role, person.role),
  );
  return changed.ok ? done({ user: { ...user, role: person.role }, before }) : changed;
}

/**
 * Takes the role and all sessions of a person whom the provider no longer gives a role. The only admin stays an
 * admin, without a session. @returns the user; null when the person has no linked account.
 */
export async function dismissVouchee(
  database: Database,
  person: Vouchee,
  records: ProviderRecords,
): Promise<User | null> {
  const user = await linkedUser(database.queries, person);
  if (user === null) return null;
  await setRole(database, user.id, "user", records.roleChanged(user.role, "user"));
  await endSessions(database.queries, user.id);
  return user;
}

async function findOrAdd(
  transaction: Kysely<Tables>,
  person: Vouchee & { role: Role },
  { added, linked }: ProviderRecords,
): Promise<Result<Admitted>> {
  const known = await linkedUser(transaction, person);
  if (known) return done({ user: known, before: known.role });
  const { email, name, role } = person;
  const user = await userWithEmail(transaction, email);
  if (user) {
    if (await isLinked(transaction, user.id, person.issuer)) return emailOfAnother;
    if (!user.disabled) {
      await insertLink(transaction, user.id, person);
      await linked(transaction, user);
    }
    return done({ user, before: user.role });
  }
  const inserted = await insertUser(transaction, { name, email, role, passwordHash: null });
  if (!inserted.ok) return inserted;
  await insertLink(transaction, inserted.value.id, person);
  await added(transaction, inserted.value);
  return done({ user: inserted.value, before: null });
}

/** An email that a company gives to another person must not open the account of the one before. */
const emailOfAnother: Failure = refused(
  "email_taken",
  "The account with this email belongs to another person at the provider. Contact an admin.",
);

/** As the table has it: ids of different providers may be alike. */
function providerIdOf(issuer: string): string {
  return `oidc ${issuer}`;
}

async function linkedUser(
  queries: Kysely<Tables>,
  { issuer, subject }: Vouchee,
): Promise<User | null> {
  const link = await queries.selectFrom("account").select("userId")
    .where("providerId", "=", providerIdOf(issuer)).where("accountId", "=", subject)
    .executeTakeFirst();
  return link ? await findUser(queries, link.userId) : null;
}

async function isLinked(
  queries: Kysely<Tables>,
  userId: string,
  issuer: string,
): Promise<boolean> {
  const link = await queries.selectFrom("account").select("id").where("userId", "=", userId)
    .where("providerId", "=", providerIdOf(issuer)).executeTakeFirst();
  return link !== undefined;
}

async function insertLink(
  transaction: Kysely<Tables>,
  userId: string,
  { issuer, subject }: Vouchee,
): Promise<void> {
  const now = new Date();
  await transaction.insertInto("account").values({
    id: randomBytes(16).toString("hex"),
    accountId: subject,
    providerId: providerIdOf(issuer),
    userId,
    createdAt: now,
    updatedAt: now,
  }).execute();
}
