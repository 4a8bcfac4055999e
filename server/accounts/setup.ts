import { createHash, randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { Database } from "../database/database.ts";
import { invalid, newUserSchema, refused, type Result } from "./account_fields.ts";
import type { Tables } from "../database/schema.ts";
import { adminExists, insertUser, type User } from "./users.ts";
import { sign } from "./digest.ts";
import { isSameText } from "@/realtime/protocol/signature.ts";

/** As released; renaming it would invalidate printed links. */
const settingName = "set_up_token_hash";

const setupDone = refused("setup_done", "Setup is already complete.");
const wrongToken = refused("wrong_token", "This setup link is no longer valid.");

/** Makes the one-time token of the setup link. It replaces the previous one. */
export async function newSetupToken({ queries }: Database): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await store(queries, hash(token));
  return token;
}

/** Whether the first admin can be created with this token now. */
export async function isSetupToken({ queries }: Database, token: string): Promise<boolean> {
  return await reasonToRefuse(queries, token) === null;
}

/**
 * Creates the first admin and uses the token up, both or neither. Of concurrent calls, one succeeds.
 */
export async function createFirstAdmin(
  database: Database,
  hashPassword: (password: string) => Promise<string>,
  token: string,
  input: { name: string; email: string; password: string },
): Promise<Result<User>> {
  // Checked before the costly hash, too, since strangers can call this.
  const refusal = await reasonToRefuse(database.queries, token);
  if (refusal) return refusal;
  const parsed = newUserSchema.safeParse(input);
  if (!parsed.success) return invalid(parsed.error);
  const { password, ...user } = parsed.data;
  const passwordHash = await hashPassword(password);
  return await database.exclusively(async (transaction) => {
    const refusal = await reasonToRefuse(transaction, token);
    if (refusal) return refusal;
    const result = await insertUser(transaction, { ...user, role: "admin", passwordHash });
    if (result.ok) {
      await transaction.deleteFrom("setting").where("name", "=", settingName).execute();
    }
    return result;
  });
}

/**
 * Like {@link newSetupToken}, but all servers of an installation get the same token. It stays valid over
 * restarts, until it is used or their secret changes.
 */
export function sharedSetupToken(database: Database, secret: string): Promise<string> {
  return database.exclusively(async (transaction) => {
    const stored = await storedValue(transaction);
    const [storedHash, salt = ""] = stored?.split(" ") ?? [];
    const tokenOf = (salt: string) => sign(secret, "setup link", salt);
    if (salt && hash(tokenOf(salt)) === storedHash) return tokenOf(salt);
    const newSalt = randomBytes(16).toString("base64url");
    const token = tokenOf(newSalt);
    await store(transaction, `${hash(token)} ${newSalt}`);
    return token;
  });
}

async function reasonToRefuse(queries: Kysely<Tables>, token: string) {
  if (await adminExists(queries)) return setupDone;
  const stored = await storedValue(queries);
  // Another call may have created the admin since the first look.
  if (!stored) return await adminExists(queries) ? setupDone : wrongToken;
  return isSameText(hash(token), stored.split(" ")[0]) ? null : wrongToken;
}

/** The hash of the token; a shared one is followed by what it is made of besides the secret. */
async function storedValue(queries: Kysely<Tables>): Promise<string | undefined> {
  const row = await queries.selectFrom("setting").select("value")
    .where("name", "=", settingName).executeTakeFirst();
  return row?.value;
}

async function store(queries: Kysely<Tables>, value: string): Promise<void> {
  await queries.insertInto("setting").values({ name: settingName, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

function hash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
