import type { KeptSecrets } from "./kept_secrets.ts";
import { secretsInFolder } from "./secrets_file.ts";
import { secretsInDatabase } from "./secrets_in_database.ts";
import type { Config } from "./config.ts";
import { needsGenerated, servedApps } from "./served_apps.ts";
import type { Database } from "../database/database.ts";
import type { AppConfig } from "../realtime/app_config.ts";

/** What an installation signs with. */
export interface InstallationSecrets {
  /** For cookies and anti-forgery tokens. */
  appSecret: string;
  /** The Pusher applications, that of the own pages first. */
  apps: AppConfig[];
}

/**
 * The secrets that are configured, and generated ones for those that are not. These are made on the
 * first run and kept beside the other data: in the data folder, or in the database server.
 *
 * @throws {ConfigError} when the settings contradict each other.
 */
export function installationSecrets(
  config: Config,
  database: Database,
): Promise<InstallationSecrets> {
  return secretsWith(config, () => keptSecrets(config, database));
}

/**
 * The secrets that are configured, and kept ones for those that are not.
 *
 * @param read brings those that are kept; not called when all are configured.
 * @throws {ConfigError} when the settings contradict each other.
 */
export async function secretsWith(
  config: Config,
  read: () => Promise<KeptSecrets>,
): Promise<InstallationSecrets> {
  if (config.appKey && !needsGenerated(config)) {
    return { appSecret: config.appKey, apps: servedApps(config) };
  }
  const kept = await read();
  const { pusherAppId: id, pusherKey: key, pusherSecret: secret } = kept;
  return {
    appSecret: config.appKey ?? kept.appSecret,
    apps: servedApps(config, { generated: { id, key, secret } }),
  };
}

function keptSecrets({ dataFolder }: Config, database: Database): Promise<KeptSecrets> {
  return database.engine === "postgres"
    ? secretsInDatabase(database, dataFolder)
    : secretsInFolder(dataFolder);
}
