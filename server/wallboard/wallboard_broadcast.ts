import type { BroadcastHere } from "../presence/broadcasting.ts";
import { onlineChannel } from "../presence/channels.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import type { App, PresenceCounts, RealtimeServer } from "@/realtime/server.ts";
import { isWallboardChannel } from "@/shared/wallboard.ts";
import type { RecoveryWatch } from "../presence/recovery_watch.ts";
import type { Servers } from "../presence/servers.ts";
import { WallboardPublisher } from "./wallboard_publisher.ts";

/** Keeps the wallboards that are connected to this server up to date with how many users are online. */
export function broadcastToWallboards({ realtime, ownApp, recovery, servers, broadcastHere }: {
  realtime: Pick<RealtimeServer, "onSubscription">;
  /** The app of the pages. */
  ownApp: () => Pick<App, "settings" | "isOccupied"> & {
    presence: Pick<App["presence"], "counts">;
    listeners: { presence: Pick<App["listeners"]["presence"], "add"> };
  };
  recovery: Pick<RecoveryWatch, "shown" | "whenOver">;
  servers: Pick<Servers, "standsStillSince" | "onChange">;
  broadcastHere: BroadcastHere;
}): void {
  let counts: PresenceCounts = ownApp().presence.counts(onlineChannel);
  const publisher = new WallboardPublisher({
    counts: () => counts,
    expected: () => recovery.shown?.expected,
    standsStillSince: () => servers.standsStillSince,
    isOccupied: (channel) => ownApp().isOccupied(channel),
    publish: (channel, counted) => broadcastHere(channel, "UsersCounted", counted),
    clock: systemClock,
  });
  ownApp().listeners.presence.add(onlineChannel, (now) => {
    counts = now;
    publisher.changed();
  });
  recovery.whenOver(() => publisher.changed());
  servers.onChange(() => publisher.changed());
  realtime.onSubscription((channel, { id }) => {
    if (id === ownApp().settings.id && isWallboardChannel(channel)) publisher.joined(channel);
  });
}
