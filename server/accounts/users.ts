import {
  isNarrowed,
  type Limits,
  limitsOf,
  losesPermission,
  may,
  type Reader,
  type Role,
} from "@/shared/permissions.ts";
import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import { deleteLinksBy, deleteLinksFor } from "./account_links.ts";
import { idBatches } from "../database/cursor.ts";
import {
  done,
  invalid,
  limitsSchema,
  newPasswordSchema,
  newUserSchema,
  noSuchUser,
  refused,
  type Result,
  roleSchema,
  storedLimits,
  userIdSchema,
} from "./account_fields.ts";
import { passwordProvider, setPassword } from "./passwords.ts";
import type { InTransaction, Tables } from "../database/schema.ts";
import { deleteSecondFactor } from "./second_factor_rows.ts";
import { endSessions, validSessions } from "./sessions.ts";
import { listPage } from "@/shared/list_page.ts";
import { longestQuery } from "@/shared/limits.ts";

export type { Role };

/** A person with an account, who can sign in unless disabled. */
export interface User extends Reader {
  /** Opaque, stable and not a secret: 32 hex digits. */
  id: string;
  name: string;
  /** In lower case. */
  email: string;
  role: Role;
  disabled: boolean;
  /** The tag of the language that the user has chosen, which this version may not have; null for the browser's. */
  language: string | null;
  createdAt: Date;
}

/** What is shown of a user. */
export type NamedUser = Pick<User, "id" | "name" | "role">;

const namedUserSchema = z.array(z.object({ id: z.string(), name: z.string(), role: roleSchema }));

const userRowSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: roleSchema,
  limits: storedLimits,
  language: z.string().nullable(),
  banned: z.union([z.boolean(), z.literal([0, 1])]).transform(Boolean),
  createdAt: z.coerce.date(),
}).transform(({ banned, ...user }): User => ({ ...user, disabled: banned }));

const nothingInTransaction: InTransaction<User> = () => Promise.resolve();

/** All users, by name. */
export async function listUsers({ queries }: Database): Promise<User[]> {
  const rows = await queries.selectFrom("user").selectAll().orderBy("name").orderBy("id").execute();
  return rows.map((row) => userRowSchema.parse(row));
}

/** The user with this id, or null. An id that no user can have is not looked up. */
export async function findUser(queries: Kysely<Tables>, id: string): Promise<User | null> {
  if (!userIdSchema.safeParse(id).success) return null;
  const row = await queries.selectFrom("user").selectAll().where("id", "=", id).executeTakeFirst();
  return row ? userRowSchema.parse(row) : null;
}

/** The user with this email, which is in lower case, or null. */
export async function userWithEmail(queries: Kysely<Tables>, email: string): Promise<User | null> {
  const row = await queries.selectFrom("user").selectAll().where("email", "=", email)
    .executeTakeFirst();
  return row ? userRowSchema.parse(row) : null;
}

/** The enabled user of a session that has shown what the user needs by now; null for any other. */
export async function findSessionUser(
  queries: Kysely<Tables>,
  sessionId: string,
  isRequired: boolean,
): Promise<User | null> {
  const row = await validSessions(queries, isRequired)
    .innerJoin("user", "user.id", "session.userId").selectAll("user")
    .where("session.id", "=", sessionId).where("user.banned", "=", false)
    .executeTakeFirst();
  return row ? userRowSchema.parse(row) : null;
}

/** The users that exist among these ids. */
export async function findUsers(
  queries: Kysely<Tables>,
  ids: readonly string[],
): Promise<NamedUser[]> {
  const possible = ids.filter((id) => userIdSchema.safeParse(id).success);
  const users: NamedUser[] = [];
  for (const batch of idBatches(possible)) {
    const rows = await queries.selectFrom("user").select(["id", "name", "role"])
      .where("id", "in", batch).execute();
    users.push(...namedUserSchema.parse(rows));
  }
  return users;
}

/** Whether a user with the role of admin exists. */
export async function adminExists(queries: Kysely<Tables>): Promise<boolean> {
  const row = await queries.selectFrom("user").select("id").where("role", "=", "admin").limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Adds a user, with the hash of a password if there is one, and deletes the invitation of the email. Needs a transaction,
 * as it writes several rows. Refused when the email is taken.
 */
export async function insertUser(
  transaction: Kysely<Tables>,
  { name, email, role, limits = null, passwordHash }: {
    name: string;
    email: string;
    role: Role;
    limits?: Limits;
    /** Null: no password signs in until one is set. */
    passwordHash: string | null;
  },
): Promise<Result<User>> {
  const id = randomBytes(16).toString("hex");
  const now = new Date();
  const times = { createdAt: now, updatedAt: now };
  const row = await transaction.insertInto("user")
    .values({
      id,
      name,
      email,
      role,
      limits: storedForm(limits),
      emailVerified: false,
      banned: false,
      ...times,
    })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) return refused("email_taken", "This email is already in use.", "email");
  await transaction.insertInto("account").values({
    id: randomBytes(16).toString("hex"),
    accountId: id,
    providerId: passwordProvider,
    userId: id,
    password: passwordHash,
    ...times,
  }).execute();
  await deleteLinksFor(transaction, { email });
  return done(userRowSchema.parse(row));
}

/** Adds a user; see {@link Accounts.add}. */
export async function addUser(
  database: Database,
  hashPassword: (password: string) => Promise<string>,
  input: { name: string; email: string; password: string; role: Role },
  inTransaction = nothingInTransaction,
): Promise<Result<User>> {
  const parsed = newUserSchema.extend({ role: roleSchema }).safeParse(input);
  if (!parsed.success) return invalid(parsed.error);
  const { password, ...user } = parsed.data;
  const passwordHash = await hashPassword(password);
  return await database.exclusively(async (transaction) => {
    const result = await insertUser(transaction, { ...user, passwordHash });
    if (result.ok) await inTransaction(transaction, result.value);
    return result;
  });
}

/**
 * Changes the role of a user. One who loses a permission loses the sessions, too, and the links that they
 * made.
 */
export async function setRole(
  database: Database,
  id: string,
  role: Role,
  inTransaction = nothingInTransaction,
): Promise<Result> {
  const parsed = roleSchema.safeParse(role);
  if (!parsed.success) return invalid(parsed.error);
  return await database.exclusively(async (transaction) => {
    const user = await findUser(transaction, id);
    if (!user) return noSuchUser;
    if (user.role === role) return done(undefined);
    if (await isLastAdmin(transaction, user)) {
      return refused("last_admin", "You can't take the role from the only admin.");
    }
    await inTransaction(transaction, user);
    await update(transaction, id, { role });
    if (losesPermission(user.role, role)) {
      await endSessions(transaction, id);
      await deleteLinksBy(transaction, id);
    }
    return done(undefined);
  });
}

/**
 * Limits a user to some apps and channels, or to none. One who may now see less loses the sessions, too; with the role
 * of an admin or a user it only has an effect later.
 *
 * @returns whether sessions were ended.
 */
export async function setLimits(
  database: Database,
  id: string,
  limits: Limits,
  inTransaction = nothingInTransaction,
): Promise<Result<boolean>> {
  const parsed = limitsSchema.safeParse(limits);
  if (!parsed.success) return invalid(parsed.error);
  return await database.exclusively(async (transaction) => {
    const user = await findUser(transaction, id);
    if (!user) return noSuchUser;
    await inTransaction(transaction, user);
    await update(transaction, id, { limits: storedForm(parsed.data) });
    const after = limitsOf({ ...user, limits: parsed.data });
    const seesLess = may(user.role, "view") && isNarrowed(limitsOf(user), after);
    if (seesLess) await endSessions(transaction, id);
    return done(seesLess);
  });
}

/**
 * Disables a user, or enables them again. Disabling ends all their sessions, the links that they made and
 * the link to reset their password.
 */
export async function setDisabled(
  database: Database,
  id: string,
  disabled: boolean,
  inTransaction = nothingInTransaction,
): Promise<Result> {
  return await database.exclusively(async (transaction) => {
    const user = await findUser(transaction, id);
    if (!user) return noSuchUser;
    if (user.disabled === disabled) return done(undefined);
    if (disabled && await isLastAdmin(transaction, user)) {
      return refused("last_admin", "You can't disable the only admin.");
    }
    await inTransaction(transaction, user);
    await update(transaction, id, { banned: disabled });
    if (disabled) {
      await endSessions(transaction, id);
      await deleteLinksBy(transaction, id);
      await deleteLinksFor(transaction, { userId: id });
    }
    return done(undefined);
  });
}

/**
 * Deletes a user, with sessions, password and links, also those that the user made. What else the user made stays.
 *
 * @param transaction of all that goes with it.
 * @param inTransaction is called before.
 */
export async function deleteUser(
  transaction: Kysely<Tables>,
  id: string,
  inTransaction = nothingInTransaction,
): Promise<Result> {
  const user = await findUser(transaction, id);
  if (!user) return noSuchUser;
  if (await isLastAdmin(transaction, user)) {
    return refused("last_admin", "You can't delete the only admin.");
  }
  await inTransaction(transaction, user);
  await endSessions(transaction, id);
  await deleteLinksBy(transaction, id);
  await deleteLinksFor(transaction, { userId: id });
  await deleteLinksFor(transaction, { email: user.email });
  await deleteSecondFactor(transaction, id);
  await transaction.deleteFrom("account").where("userId", "=", id).execute();
  await transaction.deleteFrom("user").where("id", "=", id).execute();
  return done(undefined);
}

/** Gives a user a new password, and ends all their sessions. */
export async function resetPassword(
  database: Database,
  hashPassword: (password: string) => Promise<string>,
  id: string,
  password: string,
  inTransaction = nothingInTransaction,
): Promise<Result> {
  const parsed = newPasswordSchema.safeParse(password);
  if (!parsed.success) return { ...invalid(parsed.error), field: "password" };
  const passwordHash = await hashPassword(parsed.data);
  return await database.exclusively(async (transaction) => {
    const user = await findUser(transaction, id);
    if (!user) return noSuchUser;
    await inTransaction(transaction, user);
    await setPassword(transaction, id, passwordHash);
    return done(undefined);
  });
}

/** Limits as the database has them. */
function storedForm(limits: Limits): string | null {
  return limits && JSON.stringify(limits);
}

async function isLastAdmin(transaction: Kysely<Tables>, user: User): Promise<boolean> {
  if (user.role !== "admin" || user.disabled) return false;
  const another = await transaction.selectFrom("user").select("id")
    .where("role", "=", "admin").where("banned", "=", false).where("id", "!=", user.id)
    .limit(1).executeTakeFirst();
  return another === undefined;
}

async function update(
  transaction: Kysely<Tables>,
  id: string,
  change: { role: Role } | { banned: boolean } | { limits: string | null },
): Promise<void> {
  await transaction.updateTable("user").set({ ...change, updatedAt: new Date() })
    .where("id", "=", id).execute();
}

/** Users of a page. */
const pageSize = 50;

/** A page of the users that match a search. */
export interface UserPage {
  users: User[];
  /** How many users match. */
  found: number;
  /** How many users exist. */
  total: number;
  /** From 1 on. */
  page: number;
  pages: number;
  /** The text that was searched for; empty for all. */
  query: string;
}

/**
 * A page of the users whose name or email contains a text, in any case. For a page that does not exist,
 * the nearest is used.
 */
export function searchUsers(
  users: readonly User[],
  { query, page }: { query: string | null; page: string | null },
): UserPage {
  const text = (query ?? "").trim().slice(0, longestQuery);
  const wanted = folded(text);
  const matching = users.filter(({ name, email }) =>
    folded(name).includes(wanted) || email.includes(wanted)
  );
  const { items, page: number, pages } = listPage(matching, Number(page), pageSize);
  return {
    users: items,
    found: matching.length,
    total: users.length,
    page: number,
    pages,
    query: text,
  };
}

function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
