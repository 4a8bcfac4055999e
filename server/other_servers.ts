import { hostname } from "node:os";
import type { Cluster } from "@/realtime/cluster/cluster.ts";
import type { ApiWithEvents } from "./api/event_streams.ts";
import type { Apps } from "./apps/apps.ts";
import type { Core } from "./core.ts";
import { ServerReports } from "./database/server_reports.ts";
import type { Metrics } from "./observability/metrics.ts";
import { workerRole } from "./config/worker_role.ts";
import { entryLog } from "./observability/logging.ts";
import type { Embeds } from "./embed/embeds.ts";
import type { CountedChannel } from "./live_view/counted_channel.ts";
import type { LiveView } from "./live_view/live_view.ts";
import type { LeaderTasks } from "./recording/leader_tasks.ts";
import { shareUserActivity } from "./presence/channel_presence.ts";
import { PartitionWatch } from "./recording/partition_watch.ts";
import { removeActivity } from "./privacy/person_removal.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import { version } from "@/shared/version.ts";

/** What this server shares with the others, and does for them. */
interface Shared extends Core, Apps, ApiWithEvents, Remembering {
  counted: readonly CountedChannel[];
  liveView: LiveView;
  embeds: Embeds;
  tasks: LeaderTasks;
  metrics: Metrics;
}

/**
 * Answers the other servers, if there can be any, reads again what they change, and is the leader in its
 * terms; at once and for good if it is the only one. Sends its clients to the others while they reach Redis
 * and this server does not, until the answer is stopped, if there is one.
 */
export async function startSharing(
  shared: Shared,
  eventLoop: { readonly lagMs: number },
): Promise<PartitionWatch | undefined> {
  const { appStatuses, cluster, counted, metrics, tasks, realtime } = shared;
  if (!cluster) {
    await tasks.beginAlone(realtime);
    return undefined;
  }
  const [{ presence }] = counted;
  cluster.bus.serveMetrics(workerRole, () => metrics.text());
  cluster.bus.serveStatuses((appId) => appStatuses.here(appId));
  cluster.serve(realtime, () => ({
    host: hostname(),
    version,
    connections: realtime.socketStats().sockets,
    users: presence.usersHere,
    memoryBytes: Deno.memoryUsage().rss,
    eventLoopLagMs: Math.round(eventLoop.lagMs),
    isRecovering: counted.some(({ recovery }) => !recovery.isOver),
  }));
  readChanges(shared, cluster);
  showActivity(shared, cluster);
  shareUserActivity(counted, cluster.bus.userActivity);
  cluster.lead(tasks);
  return cluster.engine.place === "redis" ? watchPartition(shared, cluster) : undefined;
}

function watchPartition({ database, realtime }: Shared, cluster: Cluster): PartitionWatch {
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

function readChanges(shared: Shared, cluster: Cluster): void {
  const { apiTokens, apps, blockedPeople, counted, embeds, eventStreams } = shared;
  const { firstAppUser, liveView, readSettings } = shared;
  const { changes } = cluster.bus;
  apiTokens.onRevoked(() => void changes.changed("api_tokens"));
  changes.onChanged("api_tokens", () => eventStreams.look());
  changes.onChanged("settings", readSettings);
  changes.onChanged("apps", () => apps.reload());
  changes.onChanged("first_app_user", () => firstAppUser.reload());
  changes.onChanged("embeds", () => embeds.reload());
  changes.onChanged("blocked_people", () => blockedPeople.reload());
  changes.onChanged("alerts", async () => {
    await Promise.all(counted.map(({ alert }) => alert.reload()));
  });
  changes.onAccountChanged((id) => liveView.showIdentity(id));
  changes.onForgotten(async (userId) => {
    const { database, served: { own: { id: appId } } } = shared;
    await forgetHere(shared, { appId, userId });
    // What was stored only now is too late for the server where the person was forgotten.
    await removeActivity(database, { id: userId, appId });
  });
  changes.readAll();
}

/** Recent activity of the leader, which alone adds to the log, for the pages of this server. */
function showActivity({ counted, liveView }: Shared, cluster: Cluster): void {
  cluster.bus.activity.onStored(({ earlier, entries }, channel) => {
    // Servers may differ in what they count while their settings are changed.
    if (!counted.some(({ key }) => key === channel)) return;
    liveView.publisherOf(channel).activityStored(entries, earlier);
  });
}

/** What a server keeps in memory of people who have left. */
interface Remembering {
  onlineRecorder: { storeWaiting(userId: string): Promise<void> };
  inspector: { forget(appId: string, userId: string): void };
  forgetEvents(): void;
}

/** Drops what this server has in memory of a user of an app, and stores what waited to be stored. */
export async function forgetHere(
  { forgetEvents, inspector, onlineRecorder }: Remembering,
  { appId, userId }: { appId: string; userId: string },
): Promise<void> {
  forgetEvents();
  inspector.forget(appId, userId);
  await onlineRecorder.storeWaiting(userId);
}
