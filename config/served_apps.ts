import type { Config } from "./config.ts";
import type { AppConfig, AppCredentials } from "../realtime/app_config.ts";
import { withDefaults } from "../realtime/defaults.ts";
import { ConfigError } from "./config_error.ts";

/** Where the app of Rollcall's own pages comes from, besides the settings. */
export interface OwnApp {
  /** Stands for what `PUSHER_APP_*` does not say. */
  generated?: AppCredentials;
  /** The one that is served already: it stays the same, whatever the settings say now. */
  running?: AppConfig;
}

/**
 * The apps to serve, with the rules that the environment gives to all. The first one is that of
 * Rollcall's own pages. When `PUSHER_APP_*` says anything, or there is no list, it is the app of
 * these names, with generated ones for what is missing; a listed app of the id `PUSHER_APP_ID` is
 * that app, and what else is said of it must agree. Otherwise it is the first of the list; while the
 * server runs, wherever it stands by then.
 *
 * @throws {ConfigError} with one line for each contradiction.
 */
export function servedApps(config: Config, { generated, running }: OwnApp = {}): AppConfig[] {
  const listed = listedOwnApp(config, running);
  if (!listed && !isOutsideList(config)) throw new ConfigError([gone(config, running)]);
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
      `${config.appList?.name}: app ${own.id} is not enabled; expected it to be, ${use}`,
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return [own, ...others];
}

const use = "as Rollcall's own pages use it";

/** Whether the app of the own pages needs a generated id, key or secret. */
export function needsGenerated(config: Config): boolean {
  const { appId, key, secret } = config.pusher;
  return listedOwnApp(config) === undefined && !(appId && key && secret);
}

/** Whether the app of the own pages need not be in a list. */
function isOutsideList({ pusher: { appId, key, secret }, appList }: Config): boolean {
  return !appList || [appId, key, secret].some((value) => value !== undefined);
}

function listedOwnApp(config: Config, running?: AppConfig): AppConfig | undefined {
  const { apps = [] } = config.appList ?? {};
  const first = isOutsideList(config) ? undefined : apps[0].id;
  const id = config.pusher.appId ?? running?.id ?? first;
  return apps.find((app) => app.id === id);
}

function gone({ appList }: Config, running?: AppConfig): string {
  return `${appList?.name}: app ${running?.id} is gone; expected it to stay until a restart, ${use}`;
}

function credentialsOf({ pusher }: Config, others?: AppCredentials): AppCredentials {
  const { appId: id = others?.id, key = others?.key, secret = others?.secret } = pusher;
  if (!id || !key || !secret) throw new TypeError("An id, a key or a secret has to be generated");
  return { id, key, secret };
}

/** The environment says something else of an app than the list. */
function disagreements({ pusher, appList }: Config, listed: AppConfig | undefined): string[] {
  if (!listed) return [];
  return (["key", "secret"] as const)
    .filter((name) => pusher[name] !== undefined && pusher[name] !== listed[name])
    .map((name) =>
      `PUSHER_APP_${name.toUpperCase()}: (not shown) is not the ${name} that ${appList?.name} has ` +
      `for app ${listed.id}; expected the same, or none`
    );
}

/** The app of the own pages would be another one: their clients would be closed and stay away. */
function changes(own: AppConfig, running: AppConfig | undefined): string[] {
  if (!running || (own.id === running.id && own.key === running.key)) return [];
  return [
    `PUSHER_APP_ID: app ${own.id} is not the app ${running.id} of before, or has another key; ` +
    `expected the same id and key until a restart, ${use}`,
  ];
}

function clashes({ appList }: Config, own: AppConfig, others: AppConfig[]): string[] {
  return (["id", "key"] as const).flatMap((name) =>
    others.filter((app) => app[name] === own[name]).map((app) =>
      `${appList?.name}: app ${app.id} has the ${name} of app ${own.id}, which is not in the ` +
      `list; expected its own`
    )
  );
}
