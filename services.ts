import { sign } from "./accounts/signature.ts";
import { type Accounts, openAccounts } from "./accounts/accounts.ts";
import {
  type Broadcast,
  broadcaster,
  type BroadcastHere,
  hereBroadcaster,
} from "./broadcasting.ts";
import type { Cluster } from "./cluster/cluster.ts";
import { ReloadableApps } from "./config/app_reload.ts";
import { usesExternalServer } from "./config/client_settings.ts";
import { type Config, readConfig, servesHttps } from "./config/config.ts";
import { type Database, openDatabase } from "./database/database.ts";
import type { LockWait } from "./database/server_lock.ts";
import { History } from "./online/history/history.ts";
import { OnlineRecorder } from "./online/online_recorder.ts";
import { CensusCache } from "./inspector/census_cache.ts";
import { type NamedApp, takeCensus } from "./inspector/census.ts";
import { Inspector } from "./inspector/inspector.ts";
import { MemberSearches } from "./inspector/member_searches.ts";
import { ChannelPresence } from "./online/counted/channel_presence.ts";
import type { CountedChannel, FollowedChannel } from "./online/counted/counted_channel.ts";
import { countedTargets } from "./online/counted/counted_target.ts";
import { RecoveryWatch } from "./online/recovery_watch.ts";
import { onlyServer, type Servers } from "./online/servers.ts";
import { announceStandingStill } from "./online/standing_still.ts";
import { installationSecrets, storeOwnSecret } from "./config/installation_secrets.ts";
import type { StoredApp } from "./config/served_apps.ts";
import { AppRegistry } from "./apps/app_registry.ts";
import { AppStatuses } from "./apps/app_statuses.ts";
import { adminChannel, reservedPrefix } from "./channels.ts";
import { readStoredApps } from "./apps/stored_apps.ts";
import { LeaderDuties } from "./online/leader_duties.ts";
import { type LiveView, openLiveView } from "./online/live_view.ts";
import {
  mayReceiveAlert,
  postToPublicAddress,
  testPublicAddress,
} from "./online/alert/alert_webhook.ts";
import { ThresholdAlert } from "./online/alert/threshold_alert.ts";
import { watchEventLoop } from "./observability/event_loop_lag.ts";
import { entryLog, logOf } from "./observability/logging.ts";
import { Metrics } from "./observability/metrics.ts";
import { isGuestId } from "./shared/guest.ts";
import { version } from "./shared/version.ts";
import { SendingLimit } from "./network/sending_limit.ts";
import { SessionWatch } from "./accounts/session_watch.ts";
import { systemClock } from "./realtime/timing/clock.ts";
import { HttpApi } from "./realtime/api/http_api.ts";
import {
  type App,
  type AppConfig,
  type AppOnAllServers,
  RealtimeServer,
} from "./realtime/server.ts";
import type { Webhook } from "./realtime/app_config.ts";
import { postWebhook } from "./realtime/webhooks/webhook_request.ts";
import { Webhooks } from "./realtime/webhooks/webhooks.ts";
import { AuditLog } from "./audit/audit_log.ts";
import { WebhookOutbox } from "./database/webhook_outbox.ts";
import { ServerChecks } from "./check/server_checks.ts";
import { targetOf } from "./check/target.ts";
import { Embeds } from "./embed/embeds.ts";
import { joinCluster, startSharing } from "./services/other_servers.ts";
import { broadcastToWallboards } from "./wallboard/wallboard_broadcast.ts";
import { Wallboards } from "./wallboard/wallboards.ts";

/** The services of the process: opened once, and handed to every request as `ctx.state`. */
export interface Services {
  config: Config;
  /** The Pusher app of Rollcall's own pages; a reload can change its secret and rules. */
  readonly pusherApp: AppConfig;
  /** The apps that are served, and how admins change them. */
  apps: AppRegistry;
  /** How the clients of each app fare. */
  appStatuses: AppStatuses;
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
  duties: LeaderDuties;
  /** The counted channels, that of the users online first. */
  counted: readonly CountedChannel[];
  sessionWatch: SessionWatch;
  wallboards: Wallboards;
  /** All apps and channels, counted when a page asks. */
  census: CensusCache;
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
    servers: cluster?.servers ?? onlyServer,
    ...startRealtime(config, { stated: apps, stored, appSecret, cluster }),
  };
  const { served, realtime, broadcast } = core;
  const { counted, webhooks } = await startCounting(core);
  const appStatuses = new AppStatuses({
    realtime,
    ownAppId: served.own.id,
    accountsOf: (ids) => accounts.findAll(ids),
    // Pages of other servers show it too.
    isWatched: () => cluster !== undefined || core.ownApp().isOccupied(adminChannel),
    publish: () => broadcast(adminChannel, "AppsChanged", {}),
    elsewhere: cluster && ((appId) => cluster.bus.others.appStatuses(appId)),
    clock: systemClock,
  });
  const [{ recovery }] = counted;
  const metrics = new Metrics({
    ...{ realtime, webhooks, outages: database.outages, counted, recovery, servers: core.servers },
  });
  const eventLoop = watchEventLoop(metrics.registry);
  const inspection = startInspection(core, () => registry.list());
  function appsChanged() {
    for (const { presence } of counted) presence.appsChanged();
    online.liveView.appsChanged();
    inspection.census.forget();
    inspection.inspector.appsChanged();
  }
  function reloadApps() {
    served.reload();
    appsChanged();
  }
  const registry = new AppRegistry({
    ...{ database, served },
    storeOwnSecret: (secret) => storeOwnSecret(config, database, secret),
    readOwnSecret: async () => (await installationSecrets(config, database)).apps[0].secret,
    changed: appsChanged,
    stored: () => cluster?.bus.changes.changed("apps"),
  });
  const online = startOnline(core, counted, (appId) => registry.nameAmongSeveral(appId));
  const duties = new LeaderDuties({
    ...{ webhooks, recorder: online.onlineRecorder, alerts: counted.map(({ alert }) => alert) },
    appOf: (id) => realtime.app(id)?.settings,
  });
  const embeds = await openEmbeds(core, counted[0], appSecret);
  if (cluster) {
    cluster.bus.serveStatuses((appId) => appStatuses.here(appId));
    startSharing({
      ...{ cluster, realtime, counted, embeds, duties, registry, reloadApps, ...online },
      eventLoopLag: () => eventLoop.lagMs,
    });
  } else await duties.leadAlone(realtime);
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
      cluster?.bus.changes.changed("settings");
    },
    appSecret,
    database,
    replaced,
    accounts,
    auditLog: new AuditLog(database),
    realtime,
    cluster,
    webhooks,
    appStatuses,
    httpApi: new HttpApi({
      ...{ appOf: (id) => realtime.appApi(id), log: entryLog("http") },
      rejected: (rejection, app) => appStatuses.rejected(rejection, app),
    }),
    servers: core.servers,
    broadcast,
    broadcastHere: core.broadcastHere,
    sendingLimit: new SendingLimit(30),
    alertTestLimit: new SendingLimit(5),
    metrics,
    ...online,
    liveView: {
      ...online.liveView,
      identityChanged(id) {
        online.liveView.identityChanged(id);
        cluster?.bus.changes.changed("account", id);
      },
    },
    duties,
    ...inspection,
    counted,
    embeds,
    sessionWatch: new SessionWatch({
      accounts,
      ownApp: core.ownApp,
      failed: (error) =>
        entryLog("accounts")({
          ...{ level: "error", message: "Could not look for ended sessions", error },
        }),
    }),
    checks: new ServerChecks(() => targetOf(config, served.own, appSecret)),
  };
}

/** What later services are started with. */
interface Core extends
  Pick<
    Services,
    "config" | "database" | "accounts" | "realtime" | "servers" | "broadcast" | "broadcastHere"
  > {
  cluster: Cluster | undefined;
  served: ReloadableApps;
  ownApp: () => App;
  allServers: () => AppOnAllServers;
}

function startRealtime(
  config: Config,
  { stated, stored, appSecret, cluster }: {
    stated: AppConfig[];
    stored: StoredApp[];
    appSecret: string;
    cluster: Cluster | undefined;
  },
): Pick<
  Core,
  "realtime" | "served" | "ownApp" | "allServers" | "broadcast" | "broadcastHere"
> {
  const served = new ReloadableApps(stated, {
    ...{ config, stored },
    // Another server knows the app's secret only.
    reserved: usesExternalServer(config.pusher)
      ? undefined
      : { prefix: reservedPrefix, secret: sign(appSecret, "reserved channels") },
    read: readConfig,
    replace: (renewed) => realtime.replaceApps(renewed),
    log: entryLog("server"),
  });
  const realtime = new RealtimeServer({
    apps: served.all,
    presenceGraceMs: config.presenceGraceMs,
    maxConnections: config.maxConnections,
    maxConnectionsPerAddress: config.maxConnectionsPerAddress,
    isGuest: isGuestId,
    broker: cluster?.broker,
    serverNumber: cluster?.number,
    log: entryLog("realtime"),
  }, cluster?.bus.others);
  const ownApp = () => servedApp(realtime.app(served.own.id));
  return {
    realtime,
    served,
    ownApp,
    allServers: () => servedApp(realtime.onAllServers(served.own.id)),
    broadcast: broadcaster(() => realtime.appApi(served.own.id)),
    broadcastHere: hereBroadcaster(ownApp),
  };
}

/** Follows the users of the counted channels, and who comes back after this start. */
async function followChannels(
  { cluster, config, database, realtime, served }: Core,
): Promise<FollowedChannel[]> {
  const targets = countedTargets(config.countedChannels, served.own.id);
  // Another server, if there is one, counts by itself.
  const isCountedHere = !usesExternalServer(config.pusher);
  // Then the members are there, and none has to come back.
  const hasOthers = cluster !== undefined && cluster.node.nodes.length > 1;
  return await Promise.all(targets.map(async (target) => {
    const presence = new ChannelPresence(realtime, target);
    const before = isCountedHere && !hasOthers
      ? await new History(database, target.key).lastUsers()
      : 0;
    const recovery = new RecoveryWatch({
      before,
      presence: () => presence.counts,
      onPresence: (listener) => presence.onPresence(listener),
      clock: systemClock,
    });
    return { ...target, presence, recovery };
  }));
}

/** Webhooks and the alerts depend on each other: the webhooks of the alerts are the own app's. */
async function startCounting(
  core: Core,
): Promise<Pick<Services, "webhooks" | "counted">> {
  const { cluster, config, database, realtime, broadcast, served, ownApp } = core;
  const test = testPublicAddress(config.alertWebhookNetworks);
  const openAlert = async (channel: FollowedChannel): Promise<CountedChannel> => {
    const { pagesChannel, presence, recovery } = channel;
    const alert = await ThresholdAlert.open({
      ...{ channel, database, presence, recovery, log: entryLog("records") },
      isWatched: () => ownApp().isOccupied(pagesChannel),
      publish: (view) => broadcast(pagesChannel, "AlertChanged", view),
      mayReceive: (url) => mayReceiveAlert(url, config.alertWebhookNetworks),
      sendWebhook: (event, webhook) => webhooks.send(event, served.own.id, webhook),
      sendTest: (url, body) => test(url, served.own, body),
      follows: !cluster,
      changed: () => cluster?.bus.changes.changed("alerts"),
    });
    return { ...channel, alert };
  };
  const counted = await Promise.all((await followChannels(core)).map(openAlert));
  const alertWebhooks = () => webhooksOf(counted);
  const postAlert = postToPublicAddress(config.alertWebhookNetworks);
  /** Whether the operator entered it; who may enter others is an admin, who can be less trusted. */
  const isOperators = (url: string) => served.own.webhooks?.some((known) => known.url === url);
  const isAlerts = (url: string) => alertWebhooks().some((known) => known.url === url);
  const webhooks = new Webhooks({
    send: (url, ...rest) =>
      isAlerts(url) && !isOperators(url) ? postAlert(url, ...rest) : postWebhook(url, ...rest),
    store: new WebhookOutbox(database),
    appOf: (id) => realtime.app(id)?.settings,
    webhooksOf: ({ id, webhooks }) =>
      id === served.own.id ? [...webhooks, ...alertWebhooks()] : webhooks,
    presenceGraceMs: config.presenceGraceMs,
    log: entryLog("webhooks"),
  });
  return { webhooks, counted };
}

/** The webhooks of the alerts, each once. */
function webhooksOf(counted: readonly CountedChannel[]): Webhook[] {
  const all = counted.flatMap(({ alert }) => alert.webhooks);
  return [...new Map(all.map((webhook) => [webhook.url, webhook])).values()];
}

/** What shows and stores who is online. */
function startOnline(
  core: Core,
  channels: readonly CountedChannel[],
  source: (appId: string) => string | undefined,
): Pick<Services, "liveView" | "onlineRecorder" | "wallboards"> {
  const { accounts, allServers, broadcastHere, config, database, ownApp, realtime, servers } = core;
  const log = entryLog("pages");
  const liveView = openLiveView({
    ...{ database, realtime, ownApp, channels, accounts, source, servers, version, log },
    broadcastHere,
  });
  const onlineRecorder = new OnlineRecorder({
    database,
    realtime,
    channels,
    isCountedHere: !usesExternalServer(config.pusher),
    accountsOf: (ids) => accounts.findAll(ids),
    onStored: (entry, channel) => liveView.publisherOf(channel).activityStored(entry),
    activityDays: config.activityDays,
    log: entryLog("records"),
    isAlone: !core.cluster,
  });
  announceStandingStill({ servers, realtime, ownApp, broadcastHere, clock: systemClock });
  const [{ recovery }] = channels;
  broadcastToWallboards({ realtime, ownApp, recovery, servers, broadcastHere });
  const wallboards = new Wallboards({ database, allServers, now: systemClock.now });
  return { liveView, onlineRecorder, wallboards };
}

/** What shows all channels and their events. */
function startInspection(
  { realtime, broadcastHere: broadcast, ownApp }: Core,
  apps: () => NamedApp[],
): Pick<Services, "census" | "inspector" | "memberSearches"> {
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve));
  const take = () => takeCensus(realtime, apps(), { at: systemClock.date(), pause });
  return {
    census: new CensusCache(take, systemClock),
    memberSearches: new MemberSearches(systemClock),
    inspector: new Inspector({
      ...{ realtime, ownApp, broadcast, clock: systemClock, log: entryLog("pages") },
    }),
  };
}

function openEmbeds(
  { cluster, database, servers }: Core,
  { presence, recovery }: FollowedChannel,
  secret: string,
): Promise<Embeds> {
  let { users } = presence.counts;
  presence.onPresence((now) => users = now.users);
  return Embeds.open({
    ...{ database, secret, log: entryLog("pages"), clock: systemClock },
    changed: () => cluster?.bus.changes.changed("embeds"),
    count: () => ({
      users,
      expected: recovery.shown?.expected,
      standsStillSince: servers.standsStillSince,
    }),
  });
}

function servedApp<Served>(app: Served | undefined): Served {
  if (!app) throw new Error("The app of the pages is not served");
  return app;
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
