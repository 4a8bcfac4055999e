import { randomBytes, randomInt } from "node:crypto";
import { z } from "zod";
import { join } from "node:path";
import { publishText } from "../database/durable_file.ts";
import type { Transaction } from "kysely";
import type { Database } from "../database/database.ts";
import type { Tables } from "../database/schema.ts";

const secretsSchema = z.strictObject({
  appSecret: z.string().regex(/^[0-9a-f]{64,}$/, "must be at least 64 lower-case hex digits"),
  pusherAppId: z.string().regex(/^[0-9]{1,20}$/, "must be 1 to 20 digits"),
  pusherKey: z.string().regex(/^[0-9a-f]{20}$/, "must be 20 lower-case hex digits"),
  pusherSecret: z.string().regex(/^[0-9a-f]{40,}$/, "must be at least 40 lower-case hex digits"),
});

/** The secrets that an installation generates on its first run and stores. */
export type KeptSecrets = z.infer<typeof secretsSchema>;

/** Stored secrets are damaged. The message is one line for the console. */
export class SecretsError extends Error {
  override name = "SecretsError";
}

/** Generates secrets. */
function newSecrets(): KeptSecrets {
  return {
    appSecret: randomBytes(32).toString("hex"),
    pusherAppId: String(randomInt(100_000, 10_000_000)),
    pusherKey: randomBytes(10).toString("hex"),
    pusherSecret: randomBytes(20).toString("hex"),
  };
}

/**
 * Reads stored secrets from JSON. Damaged ones are not replaced: that would end every session and
 * disconnect every client.
 *
 * @param place where they are stored, for the error.
 * @throws {SecretsError} when they are damaged. The message names fields, and never contains a value.
 */
function parseSecrets(place: string, text: string): KeptSecrets {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // The parser's message quotes the text, which is secret.
    throw new SecretsError(damaged(place, "it is not JSON"));
  }
  const parsed = secretsSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) =>
    issue.path.length > 0 ? `${issue.path.join(".")}: ${issue.message}` : issue.message
  );
  throw new SecretsError(damaged(place, faults.join("; ")));
}

function damaged(place: string, fault: string): string {
  return `The secrets in ${place} are damaged (${fault}). ` +
    "Restore them from a backup, or delete them to generate new ones.";
}

/** The name of the file in the data folder. */
export const secretsFileName = "secrets.json";

/**
 * The secrets of the installation with this data folder, generated on the first call.
 *
 * They are stored in `secrets.json` with mode 600. The file is written completely or not at all, and
 * processes that start at the same moment get the same secrets.
 *
 * @throws {SecretsError} when the file is damaged; see {@link parseSecrets}.
 */
export async function secretsInFolder(dataFolder: string): Promise<KeptSecrets> {
  const stored = await readSecretsFile(dataFolder);
  if (stored) return stored;
  await Deno.mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const path = join(dataFolder, secretsFileName);
  try {
    await publishText(path, JSON.stringify(newSecrets(), null, 2) + "\n", false);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
  const created = await readSecretsFile(dataFolder);
  if (!created) throw new Error(`${path} vanished right after it was written`);
  return created;
}

/** Replaces the secret of the app of Rollcall's own pages in `secrets.json`. */
export async function replacePusherSecret(dataFolder: string, pusherSecret: string): Promise<void> {
  const secrets = { ...await secretsInFolder(dataFolder), pusherSecret };
  const path = join(dataFolder, secretsFileName);
  await publishText(path, JSON.stringify(secrets, null, 2) + "\n", true);
}

/**
 * The secrets in a data folder, or null if it has none. Writes nothing.
 *
 * @throws {SecretsError} when the file is damaged; see {@link parseSecrets}.
 */
export async function readSecretsFile(dataFolder: string): Promise<KeptSecrets | null> {
  const path = join(dataFolder, secretsFileName);
  try {
    return parseSecrets(path, await Deno.readTextFile(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

const settingName = "secrets";

/**
 * The secrets of an installation with its data in PostgreSQL. The first call copies the secrets of
 * `dataFolder`, if it has any, so that a move to PostgreSQL ends no session and disconnects no client;
 * otherwise it generates them. Processes that start at the same moment get the same secrets. Writes no
 * file.
 *
 * @throws {SecretsError} when the stored secrets are damaged; see {@link parseSecrets}.
 */
export function secretsInDatabase(database: Database, dataFolder: string): Promise<KeptSecrets> {
  return database.exclusively(async (transaction) => {
    const row = await transaction.selectFrom("setting").select("value")
      .where("name", "=", settingName).executeTakeFirst();
    if (row) return parseSecrets(`the setting ${settingName} of the database`, row.value);
    const secrets = await readSecretsFile(dataFolder) ?? newSecrets();
    await store(transaction, secrets);
    return secrets;
  });
}

/** Replaces the secret of the app of Rollcall's own pages in PostgreSQL. */
export async function replacePusherSecretInDatabase(
  database: Database,
  dataFolder: string,
  pusherSecret: string,
): Promise<void> {
  const secrets = { ...await secretsInDatabase(database, dataFolder), pusherSecret };
  await database.queries.updateTable("setting").set({ value: JSON.stringify(secrets) })
    .where("name", "=", settingName).execute();
}

/**
 * Copies the secrets of a data folder, if it has any, into a database without secrets.
 *
 * @throws {SecretsError} when they are damaged; see {@link parseSecrets}.
 */
export async function copySecretsToDatabase(
  transaction: Transaction<Tables>,
  dataFolder: string,
): Promise<void> {
  const secrets = await readSecretsFile(dataFolder);
  if (secrets) await store(transaction, secrets);
}

async function store(transaction: Transaction<Tables>, secrets: KeptSecrets): Promise<void> {
  await transaction.insertInto("setting")
    .values({ name: settingName, value: JSON.stringify(secrets) }).execute();
}
