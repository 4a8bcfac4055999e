import type { KeptSecrets } from "./accounts/kept_secrets.ts";
import { secretsInFolder } from "./accounts/secrets_file.ts";
import { secretsInDatabase } from "./accounts/secrets_in_database.ts";
import type { Config } from "./config.ts";
import { needsGenerated, servedApps } from "./config/served_apps.ts";
import type { Database } from "./database/database.ts";
import type { App } from "./realtime/app.ts";

/** What an installation signs with. */
export interface InstallationSecrets {
  /** For cookies and anti-forgery tokens. */
  appSecret: string;
  /** The Pusher applications, that of the own pages first. */
  apps: App[];
}

/**
 * The secrets that are configured, and generated ones for those that are not. These are made on the
 * first run and kept beside the other data: in the data folder, or in the database server.
 *
 * @throws {ConfigError} when the settings contradict each other.
 */
export async function installationSecrets(
  config: Config,
  database: Database,
): Promise<InstallationSecrets> {
  if (config.appKey && !needsGenerated(config)) {
    return { appSecret: config.appKey, apps: servedApps(config) };
  }
  const kept = await keptSecrets(config, database);
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
