import { App } from "./app.ts";
import type { AppConfig } from "./app_config.ts";

/** The apps of a server, by key and by id. */
export class Apps {
  #byKey = new Map<string, App>();
  #byId = new Map<string, App>();
  #all: readonly App[] = [];
  readonly #start: (app: AppConfig) => App;

  /** @param start starts an app that was not served before. */
  constructor(start: (app: AppConfig) => App) {
    this.#start = start;
  }

  /** The app of a key, if it is served. */
  ofKey(key: string): App | undefined {
    return this.#byKey.get(key);
  }

  /** The app of an id, if it is served. */
  ofId(id: string): App | undefined {
    return this.#byId.get(id);
  }

  /** The apps in their given order; at least one. */
  get all(): readonly App[] {
    return this.#all;
  }

  /**
   * Serves these apps and no others. An app with the id and key of one before keeps its connections
   * and gets the new secret and rules; the connections of one that is gone are closed with 4001, of a
   * disabled one with 4003.
   *
   * @throws {Error} when the list is empty, or two apps share an id or a key; then nothing changed.
   */
  replace(configs: readonly AppConfig[]): void {
    checkDistinct(configs);
    const before = this.#all;
    const now = this.#all = configs.map((config) => this.#running(config) ?? this.#start(config));
    this.#byId = new Map(now.map((app, index) => [configs[index].id, app]));
    this.#byKey = new Map(now.map((app, index) => [configs[index].key, app]));
    for (const app of before) if (!now.includes(app)) app.remove();
    now.forEach((app, index) => app.configure(configs[index]));
  }

  #running({ id, key }: AppConfig): App | undefined {
    const app = this.#byId.get(id);
    return app?.settings.key === key ? app : undefined;
  }
}

function checkDistinct(configs: readonly AppConfig[]): void {
  if (configs.length === 0) throw new Error("There is no app to serve");
  for (const name of ["id", "key"] as const) {
    const values = configs.map((config) => config[name]);
    const double = values.find((value, index) => values.indexOf(value) !== index);
    if (double !== undefined) throw new Error(`Two apps have the ${name} ${double}`);
  }
}
