import type { AppConfig } from "./app_config.ts";
import { App } from "./app.ts";

/** The apps of a server, found by key or id. */
export class Apps {
  #byKey = new Map<string, App>();
  #byId = new Map<string, App>();
  #all: readonly App[] = [];

  /** `make` starts an app that was not there before. */
  constructor(readonly make: (app: AppConfig) => App) {}

  ofKey(key: string): App | undefined {
    return this.#byKey.get(key);
  }

  ofId(id: string): App | undefined {
    return this.#byId.get(id);
  }

  /** The apps in the order in which they were given; there is at least one. */
  get all(): readonly App[] {
    return this.#all;
  }

  /**
   * Serves these apps and no others. An app with the id and the key of one before goes on, with its
   * connections, under its new secret and rules; the connections of one that is gone get 4001, of
   * one that is not enabled any more 4003.
   *
   * @throws when there is none, or two share an id or a key; then nothing changed.
   */
  replace(apps: readonly AppConfig[]): void {
    checkDistinct(apps);
    const before = this.#all;
    const now = this.#all = apps.map((app) => this.#kept(app) ?? this.make(app));
    this.#byId = new Map(now.map((app, index) => [apps[index].id, app]));
    this.#byKey = new Map(now.map((app, index) => [apps[index].key, app]));
    for (const app of before) if (!now.includes(app)) app.remove();
    now.forEach((app, index) => app.replace(apps[index]));
  }

  #kept({ id, key }: AppConfig): App | undefined {
    const app = this.#byId.get(id);
    return app?.rules.key === key ? app : undefined;
  }
}

function checkDistinct(apps: readonly AppConfig[]): void {
  if (apps.length === 0) throw new Error("There is no app to serve");
  for (const name of ["id", "key"] as const) {
    const values = apps.map((app) => app[name]);
    const double = values.find((value, index) => values.indexOf(value) !== index);
    if (double !== undefined) throw new Error(`Two apps have the ${name} ${double}`);
  }
}
