import { hostname } from "node:os";
import type { AppRegistry } from "../apps/app_registry.ts";
import type { FirstAppUser } from "../apps/first_app_user.ts";
import type { Cluster } from "@/realtime/cluster/cluster.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../database/database.ts";
import { ServerReports } from "../database/server_reports.ts";
import type { Embeds } from "../embed/embeds.ts";
import { entryLog } from "../observability/logging.ts";
import type { CountedChannel } from "../live_view/counted_channel.ts";
import { PartitionWatch } from "../recording/partition_watch.ts";
import type { LeaderTasks } from "../recording/leader_tasks.ts";
import type { LiveView } from "../live_view/live_view.ts";
import type { RealtimeServer } from "@/realtime/server.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import { version } from "@/shared/version.ts";

/** Joins the other servers, if there can be any. Nothing of it is loaded otherwise. */
export async function joinCluster({ redis }: Config): Promise<Cluster | undefined> {
  if (!redis) return undefined;
  const { Cluster } = await import("@/realtime/cluster/cluster.ts");
  return await Cluster.open({ ...redis, clock: systemClock, log: entryLog("cluster") });
}

/** What this server shares with the others, and does for them. */
export interface Shared {
  cluster: Cluster;
  database: Database;
  realtime: RealtimeServer;
  counted: readonly CountedChannel[];
  tasks: LeaderTasks;
  embeds: Pick<Embeds, "reload">;
  registry: AppRegistry;
  firstAppUser: FirstAppUser;
  liveView: Pick<LiveView, "identityChanged" | "publisherOf">;
  /** Reads the apps of the settings again. */
  reloadApps: () => void;
  /** The delay of timers, in milliseconds. */
  eventLoopLag: () => number;
}

/**
 * Answers the other servers, reads again what they change, and is the leader when it is this server's term. Sends
 * its clients to the others while they reach Redis and this server does not, until the answer is stopped.
 */
export function startSharing(shared: Shared): PartitionWatch {
  const { cluster, counted, tasks, eventLoopLag, realtime } = shared;
  const [{ presence }] = counted;
  cluster.serve(realtime, () => ({
    host: hostname(),
    version,
    connections: realtime.socketStats().sockets,
    users: presence.usersHere,
    memoryBytes: Deno.memoryUsage().rss,
    eventLoopLagMs: Math.round(eventLoopLag()),
    isRecovering: counted.some(({ recovery }) => !recovery.isOver),
  }));
  readChanges(shared);
  showActivity(shared);

  cluster.lead(tasks);
  return watchPartition(shared);
}

function watchPartition({ cluster, database, realtime }: Shared): PartitionWatch {
  const { servers } = cluster;
  const id = String(cluster.number);
  const log = entryLog("cluster");
  return new PartitionWatch({
    id,
    servers,
    clock: systemClock,
    reports: new ServerReports(database.queries, id),
    changed(isPartitioned) {
      servers.partitioned(isPartitioned);
      if (!isPartitioned) {
        realtime.acceptAgain();
        return log({ level: "info", message: "Clients are not sent to other servers any more" });
      }
      const { sockets: connections } = realtime.socketStats();
      const message = "Other servers reach Redis, and this one does not: sends its clients to them";
      log({ level: "warn", message, connections });
      realtime.sendAway(servers.leaseMs).catch((error) =>
        log({ level: "error", message: "Not all clients could be sent to other servers", error })
      );
    },
    read: (all) => servers.reported(all),
    failed: (error) =>
      log({ level: "warn", message: "Could not compare with the other servers", error }),
  });
}

function readChanges(
  { cluster, counted, embeds, firstAppUser, liveView, registry, reloadApps }: Shared,
): void {
  const { changes } = cluster.bus;
  changes.onChanged("settings", reloadApps);
  changes.onChanged("apps", () => registry.reload());
  changes.onChanged("first_app_user", () => firstAppUser.reload());
  changes.onChanged("embeds", () => embeds.reload());
  changes.onChanged("alerts", async () => {
    await Promise.all(counted.map(({ alert }) => alert.reload()));
  });
  changes.onAccountChanged((id) => liveView.identityChanged(id));
}

/** Recent activity of the leader, which alone adds to the log, for the pages of this server. */
function showActivity({ cluster, counted, liveView }: Shared): void {
  cluster.bus.activity.onStored(({ earlier, entries }, channel) => {
    // Servers may differ in what they count while their settings are changed.
    if (!counted.some(({ key }) => key === channel)) return;
    liveView.publisherOf(channel).activityStored(entries, earlier);
  });
}
