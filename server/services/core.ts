import { sign } from "../accounts/digest.ts";
import type { Accounts } from "../accounts/accounts.ts";
import {
  type Broadcast,
  broadcaster,
  type BroadcastHere,
  hereBroadcaster,
  reservedPrefix,
} from "../presence/channels.ts";
import type { Cluster } from "@/realtime/cluster/cluster.ts";
import { ReloadableApps, type StoredApp } from "../config/served_apps.ts";
import { usesExternalServer } from "../config/client_options.ts";
import { type Config, readConfig } from "../config/config.ts";
import type { Database } from "../database/database.ts";
import type { LeaderTerm } from "../database/leader_term.ts";
import { entryLog } from "../observability/logging.ts";
import { maxConnectionsWithin, openFileLimit } from "../observability/process_metrics.ts";
import type { Servers } from "../presence/servers.ts";
import { defaultLimits } from "@/realtime/options.ts";
import {
  type App,
  type AppConfig,
  type AppOnAllServers,
  RealtimeServer,
} from "@/realtime/server.ts";
import { isGuestId } from "@/shared/client_settings.ts";

/** What later services are started with. */
export interface Core {
  config: Config;
  database: Database;
  accounts: Accounts;
  realtime: RealtimeServer;
  /** Sends an event to a channel of the app of Rollcall's own pages. */
  broadcast: Broadcast;
  /** The same to the pages of this server only. */
  broadcastHere: BroadcastHere;
  /** The servers, as pages show them. */
  servers: Servers;
  /** The other servers; undefined: this is the only one. */
  cluster: Cluster | undefined;
  /** In which this server stores while it is the leader; absent: this is the only one. */
  term?: LeaderTerm;
  served: ReloadableApps;
  /** The app of Rollcall's own pages; looked up at each use, because a reload replaces apps. */
  ownApp: () => App;
  /** The same app on all servers. */
  allServers: () => AppOnAllServers;
}

/** Starts the realtime server with the apps that are stated and stored. */
export function startRealtime(
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
  const realtime = new RealtimeServer({
    apps: served.all,
    presenceGraceMs: config.presenceGraceMs,
    maxConnections: maxConnectionsWithin(
      config.maxConnections,
      defaultLimits.maxConnections,
      openFileLimit(),
    ),
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

function servedApp<Served>(app: Served | undefined): Served {
  if (!app) throw new Error("The app of the pages is not served");
  return app;
}
