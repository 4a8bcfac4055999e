import { type Accounts, openAccounts } from "./accounts/accounts.ts";
import { adminChannel, type Broadcast, type BroadcastHere } from "./presence/channels.ts";
import type { Cluster } from "@/realtime/cluster/cluster.ts";
import { type Config, servesHttps } from "./config/config.ts";
import { type Database, openDatabase } from "./database/database.ts";
import { LeaderTerm } from "./database/leader_term.ts";
import type { LockWait } from "./database/server_lock.ts";
import type { OnlineRecorder } from "./recording/online_recorder.ts";
import type { ChannelStatsCache } from "./channels/stats.ts";
import type { Inspector } from "./channels/inspector.ts";
import type { MemberSearches } from "./channels/listed_channels.ts";
import type { CountedChannel } from "./live_view/counted_channel.ts";
import { onlyServer, type Servers } from "./presence/servers.ts";
import { installationSecrets, storeOwnSecret } from "./config/installation_secrets.ts";
import { AppRegistry, readStoredApps } from "./apps/app_registry.ts";
import { AppStatuses } from "./apps/app_statuses.ts";
import { FirstAppUser } from "./apps/first_app_user.ts";
import type { PartitionWatch } from "./recording/partition_watch.ts";
import { LeaderTasks } from "./recording/leader_tasks.ts";
import type { LiveView } from "./live_view/live_view.ts";
import { watchEventLoop } from "./observability/process_metrics.ts";
import { entryLog, logOf } from "./observability/logging.ts";
import { Metrics } from "./observability/metrics.ts";
import { SendingLimit } from "./net/window_limits.ts";
import { UntrustedProxy } from "./net/untrusted_proxy.ts";
import { SessionWatch } from "./accounts/sessions.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import { HttpApi } from "@/realtime/api/http_api.ts";
import {
  type App,
  type AppConfig,
  type AppOnAllServers,
  RealtimeServer,
} from "@/realtime/server.ts";
import type { Webhooks } from "@/realtime/webhooks/webhooks.ts";
import { AuditLog } from "./audit/audit_log.ts";
import { ServerChecks } from "./check/server_checks.ts";
import { targetOf } from "./check/target.ts";
import type { Embeds } from "./embed/embeds.ts";
import { startRealtime } from "./services/core.ts";
import { startCounting } from "./services/counting.ts";
import { joinCluster, startSharing } from "./services/other_servers.ts";
import { openEmbeds, startInspection, startOnline } from "./services/pages.ts";
import type { Wallboards } from "./wallboard/wallboards.ts";

/** The services of the process: opened once, and handed to every request as `ctx.state`. */
export interface Services {
  config: Config;
  /** The Pusher app of Rollcall's own pages; a reload can change its secret and rules. */
  readonly pusherApp: AppConfig;
  /** The apps that are served, and how admins change them. */
  apps: AppRegistry;
  /** How the clients of each app fare. */
  appStatuses: AppStatuses;
  /** Whether an app has had a user, so that admins who watch are not counted. */
  firstAppUser: FirstAppUser;
  /** Reloads the apps from the settings; see {@link ReloadableApps.reload}. */
  reloadApps: () => void;
  /** Signs cookies and CSRF tokens. */
  appSecret: string;
  database: Database;
  /** Resolves if another server has got the database, with a description of it: then stop. */
  replaced: Promise<string>;
  accounts: Accounts;
  /** The actions of admins; add entries with `audit`. */
  auditLog: AuditLog;
  realtime: RealtimeServer;
  /** The other servers; absent: this is the only one. */
  cluster?: Cluster;
  /** Sends clients to the other servers while only those reach Redis. */
  partitionWatch?: PartitionWatch;
  /** The app of Rollcall's own pages; looked up at each use, because a reload replaces apps. */
  readonly ownApp: App;
  /** The same app on all servers. */
  readonly allServers: AppOnAllServers;
  /** Sends events of the apps to their webhooks. */
  webhooks: Webhooks;
  /** Pusher's HTTP API. */
  httpApi: HttpApi;
  /** The servers of the installation. */
  servers: Servers;
  /** Sends an event to a channel of the app of Rollcall's own pages. */
  broadcast: Broadcast;
  /** The same to those pages only that are connected to this server. */
  broadcastHere: BroadcastHere;
  /** Notices a proxy in front that is not trusted. */
  untrustedProxy: UntrustedProxy;
  /** Limits the messages that admins send. */
  sendingLimit: SendingLimit;
  /** Limits the tests that admins send to an alert's webhook. */
  alertTestLimit: SendingLimit;
  metrics: Metrics;
  /** What admins see of who is online. */
  liveView: LiveView;
  /** Stores who is and was online. */
  onlineRecorder: OnlineRecorder;
  /** What one server of an installation does. */
  tasks: LeaderTasks;
  /** The counted channels, the users online first. */
  counted: readonly CountedChannel[];
  sessionWatch: SessionWatch;
  wallboards: Wallboards;
  /** All apps and channels, counted when a page asks. */
  channelStats: ChannelStatsCache;
  /** What admins searched for among the members of a channel. */
  memberSearches: MemberSearches;
  /** Sends the events of channels to the pages of admins that inspect them. */
  inspector: Inspector;
  /** Give the count to other sites. */
  embeds: Embeds;
  /** Checks of the public address. */
  checks: ServerChecks;
}

/**
 * Opens the database, starts the realtime server and delivers the events that webhooks did not receive
 * before the last stop. Does not listen.
 */
export async function openServices(config: Config): Promise<Services> {
  const { promise: replaced, resolve: onLost } = Promise.withResolvers<string>();
  const server = { ...waitForOther(config), isShared: config.redis !== undefined, onLost };
  const database = await openDatabase({ ...config, server });
  logOutages(database);
  const { appSecret, apps } = await installationSecrets(config, database);
  const accounts = await openAccounts({
    database,
    secret: appSecret,
    appUrl: config.appUrl,
    secureCookies: servesHttps(config),
    reported: logReport,
  });
  const stored = await readStoredApps(database.queries);
  const cluster = await joinCluster(config);
  const core = {
    config,
    database,
    accounts,
    cluster,
    ...cluster && { term: new LeaderTerm(database) },
    servers: cluster?.servers ?? onlyServer,
    ...startRealtime(config, { stated: apps, stored, appSecret, cluster }),
  };
  const { served, realtime, broadcast } = core;
  const { counted, webhooks } = await startCounting(core);
  const firstAppUser = await FirstAppUser.open({
    database,
    realtime,
    clock: systemClock,
    log: entryLog("server"),
    accountsOf: (ids) => accounts.findAll(ids),
    stored: () => cluster?.bus.changes.changed("first_app_user"),
    async came() {
      const admins = (await accounts.list()).filter(({ role }) => role === "admin");
      for (const { id } of admins) core.allServers().reconnectUser(id);
    },
  });
  const appStatuses = new AppStatuses({
    realtime,
    firstAppUser,
    ownAppId: served.own.id,
    accountsOf: (ids) => accounts.findAll(ids),
    // Pages of other servers show it too.
    isWatched: () => cluster !== undefined || core.ownApp().isOccupied(adminChannel),
    publish: () => broadcast(adminChannel, "AppsChanged", {}),
    remote: cluster && ((appId) => cluster.bus.others.appStatuses(appId)),
    clock: systemClock,
  });
  const [{ recovery }] = counted;
  const metrics = new Metrics({
    realtime,
    webhooks,
    outages: database.outages,
    counted,
    recovery,
    servers: core.servers,
  });
  const eventLoop = watchEventLoop(metrics.registry);
  const inspection = startInspection(core, () => registry.list());
  function appsChanged() {
    for (const { presence } of counted) presence.appsChanged();
    online.liveView.appsChanged();
    inspection.channelStats.forget();
    appStatuses.forgetOthers(served.all.map(({ id }) => id));
    inspection.inspector.appsChanged();
  }
  function reloadApps() {
    served.reload();
    appsChanged();
  }
  const registry = new AppRegistry({
    database,
    served,
    storeOwnSecret: (secret) => storeOwnSecret(config, database, secret),
    readOwnSecret: async () => (await installationSecrets(config, database)).apps[0].secret,
    changed: appsChanged,
    stored: () => cluster?.bus.changes.changed("apps"),
  });
  const online = startOnline(core, counted, (appId) => registry.nameAmongSeveral(appId));
  const tasks = new LeaderTasks({
    ...core.term && { term: core.term },
    webhooks,
    recorder: online.onlineRecorder,
    alerts: counted.map(({ alert }) => alert),
    appOf: (id) => realtime.app(id)?.settings,
  });
  const embeds = await openEmbeds(core, counted[0], appSecret);
  let partitionWatch: PartitionWatch | undefined;
  if (cluster) {
    cluster.bus.serveStatuses((appId) => appStatuses.here(appId));
    partitionWatch = startSharing({
      cluster,
      database,
      realtime,
      counted,
      embeds,
      tasks,
      registry,
      reloadApps,
      ...online,
      firstAppUser,
      eventLoopLag: () => eventLoop.lagMs,
    });
  } else await tasks.beginAlone(realtime);
  return {
    config,
    get pusherApp() {
      return served.own;
    },
    get ownApp() {
      return core.ownApp();
    },
    get allServers() {
      return core.allServers();
    },
    apps: registry,
    reloadApps() {
      reloadApps();
      void cluster?.bus.changes.changed("settings");
    },
    appSecret,
    database,
    replaced,
    accounts,
    auditLog: new AuditLog(database),
    realtime,
    cluster,
    partitionWatch,
    webhooks,
    appStatuses,
    firstAppUser,
    httpApi: new HttpApi({
      appOf: (id) => realtime.appApi(id),
      log: entryLog("http"),
      rejected: (rejection, app) => appStatuses.rejected(rejection, app),
    }),
    servers: core.servers,
    broadcast,
    broadcastHere: core.broadcastHere,
    untrustedProxy: new UntrustedProxy(),
    sendingLimit: new SendingLimit(30),
    alertTestLimit: new SendingLimit(5),
    metrics,
    ...online,
    liveView: {
      ...online.liveView,
      identityChanged(id) {
        online.liveView.identityChanged(id);
        void cluster?.bus.changes.changed("account", id);
      },
    },
    tasks,
    ...inspection,
    counted,
    embeds,
    sessionWatch: new SessionWatch({
      accounts,
      ownApp: core.ownApp,
      failed: (error) =>
        entryLog("accounts")({
          level: "error",
          message: "Could not look for ended sessions",
          error,
        }),
    }),
    checks: new ServerChecks(() => targetOf(config, served.own, appSecret), database),
  };
}

/**
 * A new version may start before the old one has stopped: it waits as long as that may take to close its
 * WebSockets and to store its data.
 */
function waitForOther({ drainMs, replacesOtherServer: takesOver }: Config): LockWait {
  const log = logOf("server");
  return {
    timeoutMs: drainMs + 5_000,
    takesOver,
    onWait: (holder) => log.info("Waiting for another server to stop", { holder }),
  };
}

function logReport(report: string, error?: Error): void {
  if (!error) return logOf("accounts").debug("Accounts refused", { report });
  entryLog("accounts")({ level: "error", message: "Accounts failed", report, error });
}

/** One line for the start and one for the end of an outage, whatever fails in between. */
function logOutages({ outages }: Database): void {
  const log = logOf("server");
  outages.listen({
    began: ({ reason, isReadable }) =>
      log.error(isReadable ? "The database cannot be written" : "The database is unavailable", {
        reason,
      }),
    ended: ({ since }) =>
      log.warn("The database works again", { seconds: Math.round((Date.now() - since) / 1_000) }),
  });
}
