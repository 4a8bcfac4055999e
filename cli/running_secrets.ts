import {
  type KeptSecrets,
  readSecretsFile,
  secretsInDatabase,
} from "@/server/config/stored_secrets.ts";
import type { Config } from "@/server/config/config.ts";
import { openDatabase } from "@/server/database/database.ts";
import { type InstallationSecrets, secretsWith } from "@/server/config/installation_secrets.ts";
import { CommandError } from "./command_line.ts";
import { withCommandErrors } from "./command_errors.ts";

/**
 * The secrets that the running server signs with. Creates no secrets, and does not open the embedded
 * database.
 *
 * @throws {CommandError} when no server has run with these settings, or its database is unreachable.
 */
export function readSecrets(config: Config): Promise<InstallationSecrets> {
  return withCommandErrors(config, () => secretsWith(config, () => keptSecrets(config)));
}

async function keptSecrets(config: Config): Promise<KeptSecrets> {
  if (config.databaseUrl === undefined) {
    const secrets = await readSecretsFile(config.dataFolder);
    if (secrets) return secrets;
    throw new CommandError(
      `DATA_DIR: ${
        JSON.stringify(config.dataFolder)
      } has no secrets yet; expected the folder of a ` +
        "server that has run",
    );
  }
  const database = await openDatabase(config);
  try {
    return await secretsInDatabase(database, config.dataFolder);
  } finally {
    await database.close();
  }
}
