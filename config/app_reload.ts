import { type Config, ConfigError } from "./config.ts";
import { servedApps } from "./served_apps.ts";
import type { AppConfig, LogEntry } from "../realtime/server.ts";

/** What reading the apps again works with. */
export interface AppReloadOptions {
  /** Reads the settings as they are now. */
  read: () => Config;
  /** Serves these apps and no others from now on. */
  replace: (apps: AppConfig[]) => void;
  log: (entry: LogEntry) => void;
}

/** The apps that are served, the one of Rollcall's own pages first; read again when asked to. */
export class ReloadableApps {
  #apps: readonly AppConfig[];
  readonly #options: AppReloadOptions;

  constructor(apps: readonly AppConfig[], options: AppReloadOptions) {
    this.#apps = apps;
    this.#options = options;
  }

  /** The app of Rollcall's own pages. Its id and key never change. */
  get own(): AppConfig {
    return this.#apps[0];
  }

  /**
   * Reads the settings again and serves the apps that they name now; connections stay open. When
   * anything is wrong with the settings, the apps stay as they are and the log has a line for each
   * fault. All other settings hold until a restart.
   */
  reload(): void {
    const { read, replace, log } = this.#options;
    const before = this.#apps.map(({ id }) => id);
    try {
      const apps = servedApps(read(), { running: this.own });
      replace(apps);
      this.#apps = apps;
    } catch (error) {
      log({ level: "error", message: "The apps stay as they are: the settings have faults" });
      for (const line of linesOf(error)) log({ level: "error", message: line });
      return;
    }
    const now = this.#apps.map(({ id }) => id);
    const added = now.filter((id) => !before.includes(id));
    const gone = before.filter((id) => !now.includes(id));
    log({ level: "info", message: "The apps were read again", apps: now.length, added, gone });
  }
}

function linesOf(error: unknown): string[] {
  return error instanceof ConfigError ? error.problems : [String(error)];
}
