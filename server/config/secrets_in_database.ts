import type { Transaction } from "kysely";
import type { Database } from "../database/database.ts";
import type { Tables } from "../database/schema.ts";
import { type KeptSecrets, newSecrets, parseSecrets } from "./kept_secrets.ts";
import { readSecretsFile } from "./secrets_file.ts";

const settingName = "secrets";

/**
 * The secrets of an installation with its data in PostgreSQL. The first call copies those of
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

/** Replaces the secret of the app of Rollcall's own pages among those in PostgreSQL. */
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
