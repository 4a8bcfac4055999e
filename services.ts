import { type Accounts, openAccounts } from "./accounts/accounts.ts";
import { keptSecrets } from "./accounts/kept_secrets.ts";
import { type Broadcast, broadcaster } from "./broadcasting.ts";
import type { Config } from "./config.ts";
import { type Database, openDatabase } from "./database/database.ts";
import { watchEventLoop } from "./observability/event_loop_lag.ts";
import { logOf } from "./observability/logging.ts";
import { Metrics } from "./observability/metrics.ts";
import { HttpApi } from "./realtime/http_api.ts";
import { type App, type LogEntry, RealtimeServer } from "./realtime/server.ts";

/** What the pages work with; made once a process and handed to every request as `ctx.state`. */
export interface Services {
  config: Config;
  /** The Pusher application that is signed for: the configured one, or the generated one. */
  pusherApp: App;
  /** Signs cookies and anti-forgery tokens. */
  appSecret: string;
  database: Database;
  accounts: Accounts;
  realtime: RealtimeServer;
  /** Pusher's HTTP API of the presence server. */
  httpApi: HttpApi;
  /** Sends an event to whoever listens to a channel. */
  broadcast: Broadcast;
  metrics: Metrics;
}

/** Opens the database and starts the presence server. Nothing listens yet. */
export async function openServices(config: Config): Promise<Services> {
  const { appSecret, pusherApp } = await secretsOf(config);
  const database = await openDatabase(config);
  const accounts = await openAccounts({
    database,
    secret: appSecret,
    appUrl: config.appUrl,
    secureCookies: servesHttps(config),
    reported: logReport,
  });
  const realtime = new RealtimeServer({
    apps: [{
      ...pusherApp,
      presenceMaxMembers: config.presence.maxMembers,
      allowedOrigins: config.allowedOrigins,
      joinTimeoutMs: config.joinTimeoutMs,
    }],
    presenceGraceMs: config.presence.graceMs,
    log,
  });
  const httpApi = new HttpApi({ appOf: (id) => realtime.appChannels(id), log });
  const broadcast = broadcaster(() => realtime.appChannels(pusherApp.id));
  const metrics = new Metrics(realtime);
  watchEventLoop(metrics.registry);
  return {
    config,
    pusherApp,
    appSecret,
    database,
    accounts,
    realtime,
    httpApi,
    broadcast,
    metrics,
  };
}

function log({ level, message, ...fields }: LogEntry): void {
  logOf("realtime")[level](message, fields);
}

function logReport(report: string, error?: Error): void {
  if (error) logOf("accounts").error("Accounts failed", { report, error });
  else logOf("accounts").debug("Accounts refused", { report });
}

/** Whether people reach the pages over https: by this server's own certificate, or by a proxy's. */
export function servesHttps(config: Config): boolean {
  return config.tls !== undefined || config.appUrl.protocol === "https:";
}

/**
 * The Pusher application and the app secret: configured, or generated on the first run and kept in the
 * data folder. Touches no file when all are configured.
 */
export async function secretsOf(config: Config): Promise<{ appSecret: string; pusherApp: App }> {
  const { appId, key, secret } = config.pusher;
  if (config.appKey && appId && key && secret) {
    return { appSecret: config.appKey, pusherApp: { id: appId, key, secret } };
  }
  const kept = await keptSecrets(config.dataFolder);
  return {
    appSecret: config.appKey ?? kept.appSecret,
    pusherApp: {
      id: appId ?? kept.pusherAppId,
      key: key ?? kept.pusherKey,
      secret: secret ?? kept.pusherSecret,
    },
  };
}
