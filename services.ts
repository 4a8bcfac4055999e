import { type Accounts, openAccounts } from "./accounts/accounts.ts";
import { type Broadcast, broadcaster } from "./broadcasting.ts";
import { ReloadableApps } from "./config/app_reload.ts";
import { isHosted } from "./config/client_settings.ts";
import { type Config, readConfig, servesHttps } from "./config/config.ts";
import { type Database, openDatabase } from "./database/database.ts";
import type { LockPatience } from "./database/server_lock.ts";
import { OnlineRecorder } from "./online/online_recorder.ts";
import { installationSecrets } from "./config/installation_secrets.ts";
import { type LiveView, openLiveView } from "./online/live_view.ts";
import { ThresholdAlert } from "./online/alert/threshold_alert.ts";
import { watchEventLoop } from "./observability/event_loop_lag.ts";
import { entryLog, logOf } from "./observability/logging.ts";
import { Metrics } from "./observability/metrics.ts";
import { version } from "./shared/version.ts";
import { SendingLimit } from "./network/sending_limit.ts";
import { SessionWatch } from "./accounts/session_watch.ts";
import { systemClock } from "./realtime/timing/clock.ts";
import { HttpApi } from "./realtime/api/http_api.ts";
import { type AppConfig, RealtimeServer } from "./realtime/server.ts";
import { Webhooks } from "./realtime/webhooks/webhooks.ts";
import { AuditLog } from "./audit/audit_log.ts";
import { WebhookOutbox } from "./database/webhook_outbox.ts";
import { Checks } from "./check/checks.ts";
import { targetOf } from "./check/target.ts";
import { broadcastToWallboards } from "./wallboard/wallboard_broadcast.ts";
import { Wallboards } from "./wallboard/wallboards.ts";

/** What the pages work with; made once a process and handed to every request as `ctx.state`. */
export interface Services {
  config: Config;
  /** The Pusher application of these pages, which is signed for; its secret may change. */
  readonly pusherApp: AppConfig;
  /** Reads the settings of all apps again; see {@link ReloadableApps.reload}. */
  reloadApps: () => void;
  /** Signs cookies and anti-forgery tokens. */
  appSecret: string;
  database: Database;
  accounts: Accounts;
  /** What admins did; written to with `audit`. */
  auditLog: AuditLog;
  realtime: RealtimeServer;
  /** Tells other servers what happens in the apps. */
  webhooks: Webhooks;
  /** Pusher's HTTP API of the presence server. */
  httpApi: HttpApi;
  /** Sends an event to whoever listens to a channel. */
  broadcast: Broadcast;
  /** Of the messages that admins send. */
  sendingLimit: SendingLimit;
  metrics: Metrics;
  /** What admins see of who is online. */
  liveView: LiveView;
  /** What is written down of who is online, and of who was. */
  onlineRecorder: OnlineRecorder;
  thresholdAlert: ThresholdAlert;
  sessionWatch: SessionWatch;
  wallboards: Wallboards;
  /** Of the way through the public address. */
  checks: Checks;
}

/**
 * Opens the database, starts the presence server and delivers what webhooks did not get before the
 * last stop. Nothing listens yet.
 */
export async function openServices(config: Config): Promise<Services> {
  const database = await openDatabase({ ...config, server: patienceWithOther(config) });
  const { appSecret, apps } = await installationSecrets(config, database);
  const accounts = await openAccounts({
    database,
    secret: appSecret,
    appUrl: config.appUrl,
    secureCookies: servesHttps(config),
    reported: logReport,
  });
  const realtime = new RealtimeServer({
    apps,
    presenceGraceMs: config.presenceGraceMs,
    maxConnections: config.maxConnections,
    maxConnectionsPerAddress: config.maxConnectionsPerAddress,
    log: entryLog("realtime"),
  });
  const reloadable = new ReloadableApps(apps, {
    read: readConfig,
    replace: (renewed) => realtime.replaceApps(renewed),
    log: entryLog("server"),
  });
  const broadcast = broadcaster(() => realtime.appApi(reloadable.own.id));
  const thresholdAlert = await ThresholdAlert.open({
    ...{ database, realtime, broadcast, log: entryLog("records") },
    sendWebhook: (event, webhook) => webhooks.tell(event, reloadable.own.id, webhook),
  });
  const webhooks = new Webhooks({
    store: new WebhookOutbox(database),
    appOf: (id) => realtime.app(id)?.rules,
    webhooksOf: ({ id, webhooks }) =>
      id === reloadable.own.id ? [...webhooks, ...thresholdAlert.webhooks] : webhooks,
    presenceGraceMs: config.presenceGraceMs,
    log: entryLog("webhooks"),
  });
  await webhooks.start();
  realtime.onServerEvent((event, app) => webhooks.take(event, app));
  const httpApi = new HttpApi({ appOf: (id) => realtime.appApi(id), log: entryLog("http") });
  const metrics = new Metrics({ realtime, webhooks });
  watchEventLoop(metrics.registry);
  const liveView = openLiveView({
    realtime,
    accounts,
    broadcast,
    version,
    log: entryLog("pages"),
  });
  const onlineRecorder = new OnlineRecorder({
    database,
    realtime,
    isCountedHere: !isHosted(config.pusher),
    appId: reloadable.own.id,
    accountsOf: (ids) => accounts.findAll(ids),
    onStored: (entry) => liveView.publisher.activityStored(entry),
    activityDays: config.activityDays,
    log: entryLog("records"),
  });
  const wallboards = new Wallboards({ database, realtime, now: systemClock.now });
  const sessionWatch = new SessionWatch({
    accounts,
    realtime,
    failed: (error) => logOf("accounts").error("Ended sessions were not looked for", { error }),
  });
  broadcastToWallboards({ realtime, broadcast, appId: reloadable.own.id });
  return {
    config,
    get pusherApp() {
      return reloadable.own;
    },
    reloadApps: () => reloadable.reload(),
    appSecret,
    database,
    accounts,
    auditLog: new AuditLog(database),
    realtime,
    webhooks,
    httpApi,
    broadcast,
    sendingLimit: new SendingLimit(),
    liveView,
    onlineRecorder,
    metrics,
    thresholdAlert,
    sessionWatch,
    wallboards,
    checks: new Checks(() => targetOf(config, reloadable.own, appSecret)),
  };
}

/**
 * A new version may be started before the old one has ended: it waits as long as that one may take to
 * close its sockets and to save what it has.
 */
function patienceWithOther({ drainMs }: Config): LockPatience {
  const log = logOf("server");
  return {
    waitMs: drainMs + 5_000,
    waiting: (holder) => log.info("Waiting for another server to end", { holder }),
  };
}

function logReport(report: string, error?: Error): void {
  if (error) logOf("accounts").error("Accounts failed", { report, error });
  else logOf("accounts").debug("Accounts refused", { report });
}
