import { hostname } from "node:os";
import type { AppRegistry } from "../apps/app_registry.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Config } from "../config/config.ts";
import type { Embeds } from "../embed/embeds.ts";
import { entryLog } from "../observability/logging.ts";
import type { CountedChannel } from "../online/counted/counted_channel.ts";
import type { LeaderDuties } from "../online/leader_duties.ts";
import type { LiveView } from "../online/live_view.ts";
import type { RealtimeServer } from "../realtime/server.ts";
import { systemClock } from "../realtime/timing/clock.ts";
import { version } from "../shared/version.ts";

/** Joins the other servers, if there can be any. Nothing of it is loaded otherwise. */
export async function joinCluster({ redis }: Config): Promise<Cluster | undefined> {
  if (!redis) return undefined;
  const { Cluster } = await import("../cluster/cluster.ts");
  return await Cluster.open({ ...redis, clock: systemClock, log: entryLog("cluster") });
}

/** What this server shares with the others, and does for them. */
export interface Shared {
  cluster: Cluster;
  realtime: RealtimeServer;
  counted: readonly CountedChannel[];
  duties: LeaderDuties;
  embeds: Pick<Embeds, "reload">;
  registry: AppRegistry;
  liveView: Pick<LiveView, "identityChanged">;
  /** Reads the apps of the settings again. */
  reloadApps: () => void;
  /** The delay of timers, in milliseconds. */
  eventLoopLag: () => number;
}

/** Answers the other servers, reads again what they change, and leads when it is this server's turn. */
export function startSharing(shared: Shared): void {
  const { cluster, counted, duties, eventLoopLag, realtime } = shared;
  const [{ presence }] = counted;
  cluster.serve(realtime, () => ({
    ...{ host: hostname(), version },
    connections: realtime.socketStats().sockets,
    users: presence.usersHere,
    memoryBytes: Deno.memoryUsage().rss,
    eventLoopLagMs: Math.round(eventLoopLag()),
  }));
  readChanges(shared);
  cluster.lead(duties);
}

function readChanges({ cluster, counted, embeds, liveView, registry, reloadApps }: Shared): void {
  const { changes } = cluster.bus;
  changes.onChanged("settings", reloadApps);
  changes.onChanged("apps", () => registry.reload());
  changes.onChanged("embeds", () => embeds.reload());
  changes.onChanged("alerts", async () => {
    await Promise.all(counted.map(({ alert }) => alert.reload()));
  });
  changes.onAccountChanged((id) => liveView.identityChanged(id));
}
