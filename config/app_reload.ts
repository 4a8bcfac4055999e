import { type Config, ConfigError } from "./config.ts";
import { servedApps } from "./served_apps.ts";
import type { AppConfig, LogEntry } from "../realtime/server.ts";

/** How to reload apps. */
export interface AppReloadOptions {
  /** Reads the current settings. */
  read: () => Config;
  /** Makes the server serve exactly these apps. */
  replace: (apps: AppConfig[]) => void;
  log: (entry: LogEntry) => void;
}

/** The apps that are served, which can be reloaded from the settings. */
export class ReloadableApps {
  #apps: readonly AppConfig[];
  readonly #options: AppReloadOptions;

  /** @param apps the first one is that of Rollcall's own pages. */
  constructor(apps: readonly AppConfig[], options: AppReloadOptions) {
    this.#apps = apps;
    this.#options = options;
  }

  /** The app of Rollcall's own pages. Its id and key never change. */
  get own(): AppConfig {
    return this.#apps[0];
  }

  /**
   * Reads the settings again and serves the apps that they name; connections stay open. If any setting
   * is invalid, the apps stay as they are and each fault is logged. All other settings keep their values
   * until a restart.
   */
  reload(): void {
    const { read, replace, log } = this.#options;
    const before = this.#apps.map(({ id }) => id);
    try {
      const apps = servedApps(read(), { running: this.own });
      replace(apps);
      this.#apps = apps;
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
