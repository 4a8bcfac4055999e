import { type Config, ConfigError } from "./config.ts";
import { servedApps, type StoredApp, withStored } from "./served_apps.ts";
import type { ReservedChannels } from "@/realtime/app_config.ts";
import type { AppConfig, LogEntry } from "@/realtime/server.ts";

/** How to reload apps. */
export interface AppReloadOptions {
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
  /** Of the settings; the first one is that of Rollcall's own pages. */
  #stated: readonly AppConfig[];
  #stored: readonly StoredApp[];
  #config: Config;
  #apps: readonly AppConfig[];
  readonly #options: AppReloadOptions;

  /** @param stated the apps of the settings; the first one is that of Rollcall's own pages. */
  constructor(stated: readonly AppConfig[], options: AppReloadOptions) {
    this.#stated = stated;
    this.#stored = options.stored;
    this.#config = options.config;
    this.#options = options;
    this.#apps = this.#served(stated, this.#stored, this.#config);
  }

  /** The apps that are served, that of Rollcall's own pages first. */
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
    this.#serve(this.#stated, stored, this.#config);
  }

  /** Replaces the secret of the app of Rollcall's own pages. */
  replaceOwnSecret(secret: string): void {
    const [own, ...others] = this.#stated;
    this.#serve([{ ...own, secret }, ...others], this.#stored, this.#config);
  }

  #served(
    stated: readonly AppConfig[],
    stored: readonly StoredApp[],
    config: Config,
  ): AppConfig[] {
    const [own, ...others] = withStored(stated, stored, config);
    const { reserved } = this.#options;
    return [reserved ? { ...own, reserved } : own, ...others];
  }

  #serve(stated: readonly AppConfig[], stored: readonly StoredApp[], config: Config): void {
    const apps = this.#served(stated, stored, config);
    this.#options.replace(apps);
    this.#stated = stated;
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
