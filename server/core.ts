/**
 * What every part of the server is started with: the settings, the database, the accounts, the realtime
 * server, and the other servers. `services.ts` opens it first, and hands it to one `start…` for each subject.
 *
 * @module
 */
import { type Accounts, openAccounts } from "./accounts/accounts.ts";
import { sign } from "./accounts/digest.ts";
import { usesExternalServer } from "./config/client_options.ts";
import { type Config, readConfig, servesHttps } from "./config/config.ts";
import { installationSecrets } from "./config/installation_secrets.ts";
import { readStoredApps, ReloadableApps } from "./config/served_apps.ts";
import { type Database, openDatabase } from "./database/database.ts";
import { LeaderTerm } from "./database/leader_term.ts";
import type { LockWait } from "./database/server_lock.ts";
import { type Mailer, openMailer } from "./mail/mailer.ts";
import { entryLog, logOf } from "./observability/logging.ts";
import { maxConnectionsWithin, openFileLimit } from "./observability/process_metrics.ts";
import { BlockedPeople } from "./presence/blocked_people.ts";
import {
  type Broadcast,
  broadcaster,
  type BroadcastHere,
  hereBroadcaster,
  reservedPrefix,
} from "./presence/channels.ts";
import { workerRole } from "./config/worker_role.ts";
import { announceStale, onlyServer, type Servers } from "./presence/servers.ts";
import type { Cluster } from "@/realtime/cluster/cluster.ts";
import { defaultLimits } from "@/realtime/options.ts";
import {
  type App,
  type AppConfig,
  type AppOnAllServers,
  RealtimeServer,
} from "@/realtime/server.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import { isGuestId } from "@/shared/client_settings.ts";

/** What the parts of the server are started with. */
export interface Core {
  readonly config: Config;
  readonly database: Database;
  /** Resolves if another server has got the database, with a description of it: then stop. */
  readonly replaced: Promise<string>;
  /** Signs cookies and CSRF tokens. */
  readonly appSecret: string;
  readonly accounts: Accounts;
  /** Sends emails; undefined: no mail server is set. */
  readonly mailer: Mailer | undefined;
  readonly realtime: RealtimeServer;
  /** The people of operators' own apps whom admins have blocked. */
  readonly blockedPeople: BlockedPeople;
  /** Sends an event to a channel of the app of Rollcall's own pages. */
  readonly broadcast: Broadcast;
  /** The same to those pages only that are connected to this server. */
  readonly broadcastHere: BroadcastHere;
  /** The servers of the installation, as pages show them. */
  readonly servers: Servers;
  /** The other servers; undefined: this is the only one. */
  readonly cluster: Cluster | undefined;
  /** In which this server stores while it is the leader; undefined: this is the only one. */
  readonly term: LeaderTerm | undefined;
  /** The apps of the settings and the stored ones. */
  readonly served: ReloadableApps;
  /** The Pusher app of Rollcall's own pages; a reload can change its secret and rules. */
  readonly pusherApp: AppConfig;
  /** The app of Rollcall's own pages; looked up at each use, because a reload replaces apps. */
  readonly ownApp: App;
  /** The same app on all servers. */
  readonly allServers: AppOnAllServers;
}

/** Opens the database, joins the other servers and starts the realtime server. Does not listen. */
export async function openCore(config: Config): Promise<Core> {
  const { promise: replaced, resolve: onLost } = Promise.withResolvers<string>();
  const server = { ...waitForOther(config), isShared: isShared(config), onLost };
  const database = await openDatabase({ ...config, server });
  logOutages(database);
  const { appSecret, apps } = await installationSecrets(config, database);
  const accounts = await openAccounts({
    database,
    secret: appSecret,
    appUrl: config.appUrl,
    secureCookies: servesHttps(config),
    requiresSecondFactor: config.requireSecondFactor,
    reported: logReport,
  });
  const stored = await readStoredApps(database.queries);
  const cluster = await joinCluster(config);
  const served = new ReloadableApps(apps, {
    config,
    stored,
    // Another server knows the app's secret only.
    reserved: usesExternalServer(config.pusher)
      ? undefined
      : { prefix: reservedPrefix, secret: sign(appSecret, "reserved channels") },
    read: readConfig,
    replace: (renewed) => realtime.replaceApps(renewed),
    log: entryLog("server"),
  });
  const blockedPeople = new BlockedPeople(database, {
    close: (appId, userId, reason) =>
      realtime.app(appId)?.connections.closeUser(userId, { reason }),
    stored: async () => await cluster?.bus.changes.changed("blocked_people"),
  });
  const realtime = startRealtime(config, served, cluster, blockedPeople);
  await blockedPeople.reload();
  const core: Core = {
    config,
    database,
    replaced,
    appSecret,
    accounts,
    mailer: openMailer(config.mail),
    realtime,
    blockedPeople,
    broadcast: broadcaster(() => realtime.appApi(served.own.id)),
    broadcastHere: hereBroadcaster(() => core.ownApp),
    servers: cluster?.servers ?? onlyServer,
    cluster,
    term: cluster && new LeaderTerm(database),
    served,
    get pusherApp() {
      return served.own;
    },
    get ownApp() {
      return servedApp(realtime.app(served.own.id));
    },
    get allServers() {
      return servedApp(realtime.onAllServers(served.own.id));
    },
  };
  const { broadcastHere, servers } = core;
  announceStale({
    servers,
    realtime,
    ownApp: () => core.ownApp,
    broadcastHere,
    clock: systemClock,
  });
  return core;
}

/** Joins the other servers, if there can be any. Nothing of it is loaded otherwise. */
async function joinCluster({ redis }: Config): Promise<Cluster | undefined> {
  const { socketPath } = workerRole ?? {};
  const place = redis ?? (socketPath === undefined ? undefined : { socketPath });
  if (!place) return undefined;
  const { Cluster } = await import("@/realtime/cluster/cluster.ts");
  return await Cluster.open({ ...place, clock: systemClock, log: entryLog("cluster") });
}

/** Whether other servers use the database, too: with Redis, or as workers of one supervisor. */
function isShared({ redis }: Config): boolean {
  return redis !== undefined || workerRole?.socketPath !== undefined;
}

function startRealtime(
  config: Config,
  served: ReloadableApps,
  cluster: Cluster | undefined,
  blockedPeople: BlockedPeople,
): RealtimeServer {
  return new RealtimeServer({
    apps: served.all,
    presenceGraceMs: config.presenceGraceMs,
    maxConnections: maxConnectionsWithin(
      config.maxConnections,
      defaultLimits.maxConnections,
      openFileLimit(),
    ),
    maxConnectionsPerAddress: config.maxConnectionsPerAddress,
    isGuest: isGuestId,
    blockReason: (appId, userId) => blockedPeople.reasonOf(appId, userId),
    broker: cluster?.broker,
    serverNumber: cluster?.number,
    log: entryLog("realtime"),
  }, cluster?.bus.others);
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
