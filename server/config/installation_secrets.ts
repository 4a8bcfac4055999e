import {
  type KeptSecrets,
  replacePusherSecret,
  replacePusherSecretInDatabase,
  secretsInDatabase,
  secretsInFolder,
} from "./stored_secrets.ts";
import type { Config } from "./config.ts";
import { needsGenerated, servedApps } from "./served_apps.ts";
import type { Database } from "../database/database.ts";
import type { AppConfig } from "@/realtime/app_config.ts";

/** The secrets that an installation signs with. */
export interface InstallationSecrets {
  /** Signs cookies and CSRF tokens. */
  appSecret: string;
  /** The Pusher apps; the first one is the app of Rollcall's own pages. */
  apps: AppConfig[];
}

/**
 * The secrets that the settings state, and generated ones for the others. Those are generated on the
 * first run and stored with the other data: in the data folder, or in PostgreSQL.
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
 * The secrets that the settings state, and stored ones for the others.
 *
 * @param read reads the stored secrets; not called when the settings state all of them.
 * @throws {ConfigError} when the settings contradict each other.
 */
export async function secretsWith(
  config: Config,
  read: () => Promise<KeptSecrets>,
): Promise<InstallationSecrets> {
  if (config.appKey && !needsGenerated(config)) {
    return { appSecret: config.appKey, apps: servedApps(config) };
  }
  const secrets = await read();
  const { pusherAppId: id, pusherKey: key, pusherSecret: secret } = secrets;
  return {
    appSecret: config.appKey ?? secrets.appSecret,
    apps: servedApps(config, { generated: { id, key, secret } }),
  };
}

/** Replaces the generated secret of the app of Rollcall's own pages where it is stored. */
export function storeOwnSecret(
  { dataFolder }: Config,
  database: Database,
  secret: string,
): Promise<void> {
  return database.engine === "postgres"
    ? replacePusherSecretInDatabase(database, dataFolder, secret)
    : replacePusherSecret(dataFolder, secret);
}

function keptSecrets({ dataFolder }: Config, database: Database): Promise<KeptSecrets> {
  return database.engine === "postgres"
    ? secretsInDatabase(database, dataFolder)
    : secretsInFolder(dataFolder);
}
