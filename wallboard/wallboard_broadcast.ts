import type { Broadcast } from "../broadcasting.ts";
import { onlineChannel } from "../channels.ts";
import { systemClock } from "../realtime/timing/clock.ts";
import type { PresenceCounts, RealtimeServer } from "../realtime/server.ts";
import { isWallboardChannel } from "../shared/wallboard.ts";
import { WallboardPublisher } from "./wallboard_publisher.ts";

/** Keeps the wallboards of the pages' app up to date with how many users are online. */
export function broadcastToWallboards({ realtime, broadcast, appId }: {
  realtime: RealtimeServer;
  broadcast: Broadcast;
  appId: string;
}): void {
  let counts: PresenceCounts = realtime.presence(onlineChannel);
  const publisher = new WallboardPublisher({
    counts: () => counts,
    isOccupied: (channel) => realtime.isOccupied(channel),
    publish: (channel, counted) => broadcast(channel, "UsersCounted", counted),
    clock: systemClock,
  });
  realtime.onPresence(onlineChannel, (now) => {
    counts = now;
    publisher.changed();
  });
  realtime.onSubscription((channel, app) => {
    if (app.id === appId && isWallboardChannel(channel)) publisher.joined(channel);
  });
}
