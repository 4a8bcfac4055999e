import type { Database } from "../database/database.ts";
import { type KeptSecrets, newSecrets, parseSecrets } from "./kept_secrets.ts";
import { readSecretsFile } from "./secrets_file.ts";

const settingName = "secrets";

/**
 * The secrets of the installation that keeps its data in a database server. On the first call they
 * are those of `dataFolder`, if there are any, so that who moves to a server ends no session and
 * breaks no client; else they are made. Of several processes that start at once all get the same. No
 * file is written.
 *
 * @throws {Error} when they are damaged; see {@link parseSecrets}.
 */
export function secretsInDatabase(database: Database, dataFolder: string): Promise<KeptSecrets> {
  return database.exclusively(async (transaction) => {
    const row = await transaction.selectFrom("setting").select("value")
      .where("name", "=", settingName).executeTakeFirst();
    if (row) return parseSecrets(`the setting ${settingName} of the database`, row.value);
    const secrets = await readSecretsFile(dataFolder) ?? newSecrets();
    await transaction.insertInto("setting")
      .values({ name: settingName, value: JSON.stringify(secrets) }).execute();
    return secrets;
  });
}
