import type { Transaction } from "kysely";
import type { Database } from "../database/database.ts";
import type { Tables } from "../database/schema.ts";
import { type KeptSecrets, newSecrets, parseSecrets } from "./kept_secrets.ts";
import { readSecretsFile } from "./secrets_file.ts";

const settingName = "secrets";

/**
 * The secrets of the installation that keeps its data in a database server. On the first call they
 * are those of `dataFolder`, if there are any, so that who moves to a server ends no session and
 * breaks no client; else they are made. Of several processes that start at once all get the same. No
 * file is written.
 *
 * @throws {SecretsError} when they are damaged; see {@link parseSecrets}.
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

/**
 * Takes the secrets of a data folder, if there are any, into a database server that has none.
 *
 * @throws {SecretsError} when they are damaged; see {@link parseSecrets}.
 */
export async function takeSecretsAlong(
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
