import type { Broadcast } from "../broadcasting.ts";
import { onlineChannel } from "../channels.ts";
import { systemClock } from "../realtime/timing/clock.ts";
import type { App, PresenceCounts, RealtimeServer } from "../realtime/server.ts";
import { isWallboardChannel } from "../shared/wallboard.ts";
import type { RecoveryWatch } from "../online/recovery_watch.ts";
import { WallboardPublisher } from "./wallboard_publisher.ts";

/** Keeps the wallboards of the pages' app up to date with how many users are online. */
export function broadcastToWallboards({ realtime, ownApp, recovery, broadcast }: {
  realtime: Pick<RealtimeServer, "onSubscription">;
  /** The app of the pages. */
  ownApp: () => Pick<App, "settings" | "presenceCounts" | "onPresence" | "isOccupied">;
  recovery: Pick<RecoveryWatch, "shown" | "whenOver">;
  broadcast: Broadcast;
}): void {
  let counts: PresenceCounts = ownApp().presenceCounts(onlineChannel);
  const publisher = new WallboardPublisher({
    counts: () => counts,
    expected: () => recovery.shown?.expected,
    isOccupied: (channel) => ownApp().isOccupied(channel),
    publish: (channel, counted) => broadcast(channel, "UsersCounted", counted),
    clock: systemClock,
  });
  ownApp().onPresence(onlineChannel, (now) => {
    counts = now;
    publisher.changed();
  });
  recovery.whenOver(() => publisher.changed());
  realtime.onSubscription((channel, { id }) => {
    if (id === ownApp().settings.id && isWallboardChannel(channel)) publisher.joined(channel);
  });
}
