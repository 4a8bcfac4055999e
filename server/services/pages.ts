import { usesExternalServer } from "../config/client_options.ts";
import { Embeds } from "../embed/embeds.ts";
import { ChannelStatsCache, type NamedApp, takeChannelStats } from "../channels/stats.ts";
import { Inspector } from "../channels/inspector.ts";
import { MemberSearches } from "../channels/listed_channels.ts";
import { entryLog } from "../observability/logging.ts";
import type { CountedChannel, FollowedChannel } from "../live_view/counted_channel.ts";
import { type LiveView, openLiveView } from "../live_view/live_view.ts";
import { OnlineRecorder } from "../recording/online_recorder.ts";
import { announceStale } from "../presence/servers.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import { version } from "@/shared/version.ts";
import { broadcastToWallboards } from "../wallboard/wallboard_publisher.ts";
import { Wallboards } from "../wallboard/wallboards.ts";
import type { Core } from "./core.ts";

/** What shows and stores who is online. */
export function startOnline(
  core: Core,
  channels: readonly CountedChannel[],
  source: (appId: string) => string | undefined,
): { liveView: LiveView; onlineRecorder: OnlineRecorder; wallboards: Wallboards } {
  const { accounts, allServers, broadcastHere, cluster, config, database } = core;
  const { ownApp, realtime, servers, term } = core;
  const log = entryLog("pages");
  const liveView = openLiveView({
    database,
    realtime,
    ownApp,
    channels,
    accounts,
    source,
    servers,
    version,
    log,
    broadcastHere,
  });
  const onlineRecorder = new OnlineRecorder({
    database,
    realtime,
    channels,
    isCountedHere: !usesExternalServer(config.pusher),
    accountsOf: (ids) => accounts.findAll(ids),
    onStored(entry, channel) {
      liveView.publisherOf(channel).activityStored([entry]);
      cluster?.bus.activity.stored(entry, channel);
    },
    activityDays: config.activityDays,
    log: entryLog("records"),
    ...term && { term },
  });
  announceStale({ servers, realtime, ownApp, broadcastHere, clock: systemClock });
  const [{ recovery }] = channels;
  broadcastToWallboards({ realtime, ownApp, recovery, servers, broadcastHere, log });
  const wallboards = new Wallboards({ database, allServers, now: systemClock.now });
  return { liveView, onlineRecorder, wallboards };
}

/** What shows all channels and their events. */
export function startInspection(
  { realtime, broadcastHere, ownApp }: Core,
  apps: () => NamedApp[],
): { channelStats: ChannelStatsCache; inspector: Inspector; memberSearches: MemberSearches } {
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve));
  const take = () => takeChannelStats(realtime, apps(), { at: systemClock.date(), pause });
  return {
    channelStats: new ChannelStatsCache(take, systemClock),
    memberSearches: new MemberSearches(systemClock),
    inspector: new Inspector({
      realtime,
      ownApp,
      broadcastHere,
      clock: systemClock,
      log: entryLog("pages"),
    }),
  };
}

/** What gives the count to other sites. @throws {Error} when the embeds cannot be read */
export function openEmbeds(
  { cluster, database, servers }: Core,
  { presence, recovery }: FollowedChannel,
  secret: string,
): Promise<Embeds> {
  let { users } = presence.counts;
  presence.onPresence((now) => users = now.users);
  return Embeds.open({
    database,
    secret,
    log: entryLog("pages"),
    clock: systemClock,
    changed: () => cluster?.bus.changes.changed("embeds"),
    count: () => ({
      users,
      expected: recovery.shown?.expected,
      staleSince: servers.staleSince,
    }),
  });
}
