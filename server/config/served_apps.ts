import type { Kysely } from "kysely";
import { z } from "zod";
import type { Tables } from "../database/schema.ts";
import type { Config } from "./config.ts";
import {
  type AppConfig,
  type AppCredentials,
  type ReservedChannels,
  withDefaults,
} from "@/realtime/app_config.ts";
import { ConfigError } from "./setting.ts";
import type { LogEntry } from "@/realtime/server.ts";

/** What the settings do not say about the app of Rollcall's own pages. */
export interface OwnApp {
  /** Used for each `PUSHER_APP_*` that is not set. */
  generated?: AppCredentials;
  /** The app that is being served; settings that would replace it are refused. */
  running?: AppConfig;
}

/**
 * The apps to serve, with the rules that the environment gives to all of them. The first one is that
 * of Rollcall's own pages:
 *
 * - If `PUSHER_APP_ID` names a listed app, that one; `PUSHER_APP_KEY` and `PUSHER_APP_SECRET` must agree
 *   with the list.
 * - If `PUSHER_APP_*` is set otherwise, or there is no list, an app with these values, and generated
 *   ones for secrets that are not set.
 * - Otherwise the first app of the list. While the server runs, it stays that app at any position.
 *
 * @throws {ConfigError} with one line for each contradiction.
 */
export function servedApps(config: Config, { generated, running }: OwnApp = {}): AppConfig[] {
  const listed = listedOwnApp(config, running);
  if (!listed && !isOutsideList(config)) throw new ConfigError([removedText(config, running)]);
  const credentials = listed ?? credentialsOf(config, running ?? generated);
  const own: AppConfig = withDefaults(
    { ...config.appRules, webhooks: config.webhooks },
    credentials,
  );
  const others = (config.appList?.apps ?? []).filter((app) => app !== listed)
    .map((app): AppConfig => withDefaults(config.appRules, app));
  const problems = [
    ...disagreements(config, listed),
    ...changes(own, running),
    ...clashes(config, own, others),
  ];
  if (own.enabled === false) {
    problems.push(
      `${config.appList?.name}: app ${own.id} is not enabled; expected an enabled one, ${use}`,
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return [own, ...others];
}

const use = "as Rollcall's own pages use it";

/** What admins stored of an app. */
export interface StoredApp extends Omit<AppCredentials, "secret"> {
  name: string;
  /** Null for an app of the settings, which only has its name stored. */
  secret: string | null;
}

const storedSchema = z.object({
  id: z.string(),
  name: z.string(),
  key: z.string(),
  secret: z.string().nullable(),
});

/** All stored apps, the oldest first. */
export async function readStoredApps(queries: Kysely<Tables>): Promise<StoredApp[]> {
  const rows = await queries.selectFrom("app").selectAll().orderBy("createdAt").orderBy("id")
    .execute();
  return rows.map((row) => storedSchema.parse(row));
}

/**
 * The apps of the settings with their stored names, and the apps that admins added. A list of apps in the
 * settings is complete: with one, none is added. So is an app that the settings have meanwhile, with the
 * id or key of a stored one.
 */
function withStored(
  apps: readonly AppConfig[],
  stored: readonly StoredApp[],
  { appList, appRules }: Config,
): AppConfig[] {
  const named = apps.map((app) => ({
    ...app,
    name: stored.find(({ id }) => id === app.id)?.name ?? app.name,
  }));
  if (appList) return named;
  const added = stored.filter((one) =>
    one.secret !== null && !apps.some(({ id, key }) => id === one.id || key === one.key)
  );
  return [...named, ...added.map((app) => withDefaults(appRules, app as AppConfig))];
}

/** Whether the settings state the secret of the app of Rollcall's own pages. */
export function statesOwnSecret(config: Config): boolean {
  return config.pusher.secret !== undefined || listedOwnApp(config) !== undefined;
}

/** Whether the app of Rollcall's own pages needs a generated id, key or secret. */
export function needsGenerated(config: Config): boolean {
  const { appId, key, secret } = config.pusher;
  return listedOwnApp(config) === undefined && !(appId && key && secret);
}

/** Whether the app of Rollcall's own pages need not be in the list. */
function isOutsideList({ pusher: { appId, key, secret }, appList }: Config): boolean {
  return !appList || [appId, key, secret].some((value) => value !== undefined);
}

function listedOwnApp(config: Config, running?: AppConfig): AppConfig | undefined {
  const { apps = [] } = config.appList ?? {};
  const first = isOutsideList(config) ? undefined : apps[0].id;
  const id = config.pusher.appId ?? running?.id ?? first;
  return apps.find((app) => app.id === id);
}

function removedText({ appList }: Config, running?: AppConfig): string {
  return `${appList?.name}: app ${running?.id} was removed; expected it to stay until a restart, ${use}`;
}

function credentialsOf({ pusher }: Config, others?: AppCredentials): AppCredentials {
  const { appId: id = others?.id, key = others?.key, secret = others?.secret } = pusher;
  if (!id || !key || !secret) {
    throw new TypeError("Credentials that are not set have to be generated");
  }
  return { id, key, secret };
}

/** The environment and the list state different values for the same app. */
function disagreements({ pusher, appList }: Config, listed: AppConfig | undefined): string[] {
  if (!listed) return [];
  return (["key", "secret"] as const)
    .filter((name) => pusher[name] !== undefined && pusher[name] !== listed[name])
    .map((name) =>
      `PUSHER_APP_${name.toUpperCase()}: (not shown) differs from the ${name} of app ${listed.id} in ` +
      `${appList?.name}; expected the same, or none`
    );
}

/** Another app for the own pages would disconnect their clients for good. */
function changes(own: AppConfig, running: AppConfig | undefined): string[] {
  if (!running || (own.id === running.id && own.key === running.key)) return [];
  return [
    `PUSHER_APP_ID: app ${own.id} replaces app ${running.id}, or has another key; ` +
    `expected the same id and key until a restart, ${use}`,
  ];
}

function clashes({ appList }: Config, own: AppConfig, others: AppConfig[]): string[] {
  return (["id", "key"] as const).flatMap((name) =>
    others.filter((app) => app[name] === own[name]).map((app) =>
      `${appList?.name}: app ${app.id} has the ${name} of app ${own.id}, which is not in the ` +
      `list; expected a unique one`
    )
  );
}

/** How to reload apps. */
interface AppReloadOptions {
  /** The channels of Rollcall's own pages; absent while they connect to another server. */
  reserved?: ReservedChannels;
  /** The settings of the start. */
  config: Config;
  /** What admins stored, at the start. */
  stored: readonly StoredApp[];
  /** Reads the current settings. */
  read: () => Config;
  /** Makes the server serve exactly these apps. */
  replace: (apps: AppConfig[]) => void;
  log: (entry: LogEntry) => void;
}

/** The apps that are served, which can be reloaded from the settings. */
export class ReloadableApps {
  /** Of the settings; the first one is the app of Rollcall's own pages. */
  #configured: readonly AppConfig[];
  #stored: readonly StoredApp[];
  #config: Config;
  #apps: readonly AppConfig[];
  readonly #options: AppReloadOptions;

  /** @param configured the apps of the settings; the first one is the app of Rollcall's own pages. */
  constructor(configured: readonly AppConfig[], options: AppReloadOptions) {
    this.#configured = configured;
    this.#stored = options.stored;
    this.#config = options.config;
    this.#options = options;
    this.#apps = this.#served(configured, this.#stored, this.#config);
  }

  /** The apps that are served, the app of Rollcall's own pages first. */
  get all(): readonly AppConfig[] {
    return this.#apps;
  }

  /** The settings of which the apps are, as they were read last. */
  get config(): Config {
    return this.#config;
  }

  /** The app of Rollcall's own pages. Its id and key never change. */
  get own(): AppConfig {
    return this.#apps[0];
  }

  /** Serves what admins stored now; connections of apps that stay remain open. */
  store(stored: readonly StoredApp[]): void {
    this.#serve(this.#configured, stored, this.#config);
  }

  /** Replaces the secret of the app of Rollcall's own pages. */
  replaceOwnSecret(secret: string): void {
    const [own, ...others] = this.#configured;
    this.#serve([{ ...own, secret }, ...others], this.#stored, this.#config);
  }

  #served(
    configured: readonly AppConfig[],
    stored: readonly StoredApp[],
    config: Config,
  ): AppConfig[] {
    const [own, ...others] = withStored(configured, stored, config);
    const { reserved } = this.#options;
    return [reserved ? { ...own, reserved } : own, ...others];
  }

  #serve(configured: readonly AppConfig[], stored: readonly StoredApp[], config: Config): void {
    const apps = this.#served(configured, stored, config);
    this.#options.replace(apps);
    this.#configured = configured;
    this.#stored = stored;
    this.#config = config;
    this.#apps = apps;
  }

  /**
   * Reads the settings again and serves the apps that they name; connections stay open. If any setting
   * is invalid, the apps stay as they are and each fault is logged. All other settings keep their values
   * until a restart.
   */
  reload(): void {
    const { read, log } = this.#options;
    const before = this.#apps.map(({ id }) => id);
    try {
      const config = read();
      this.#serve(servedApps(config, { running: this.own }), this.#stored, config);
    } catch (error) {
      log({ level: "error", message: "Apps not reloaded: the settings are invalid" });
      for (const line of linesOf(error)) log({ level: "error", message: line });
      return;
    }
    const now = this.#apps.map(({ id }) => id);
    const added = now.filter((id) => !before.includes(id));
    const removed = before.filter((id) => !now.includes(id));
    log({ level: "info", message: "Apps reloaded", apps: now.length, added, removed });
  }
}

function linesOf(error: unknown): string[] {
  return error instanceof ConfigError ? error.problems : [String(error)];
}
