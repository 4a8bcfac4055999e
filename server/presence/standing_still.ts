import type { BroadcastHere } from "./broadcasting.ts";
import { onlineChannel } from "./channels.ts";
import type { App, RealtimeServer } from "@/realtime/server.ts";
import type { Clock } from "@/realtime/timing/clock.ts";
import type { StandingStill } from "@/shared/servers.ts";
import type { Servers } from "./servers.ts";

/** How soon after an event for pages that joined there is another, in milliseconds. */
const pauseMs = 1_000;

/** Options of {@link announceStandingStill}. */
export interface StandingStillOptions {
  servers: Pick<Servers, "areSeveral" | "standsStillSince" | "onChange">;
  realtime: Pick<RealtimeServer, "onSubscription">;
  /** The app of the pages. */
  ownApp: () => Pick<App, "settings"> & {
    listeners: { presence: Pick<App["listeners"]["presence"], "add"> };
  };
  broadcastHere: BroadcastHere;
  clock: Pick<Clock, "after">;
}

/**
 * Notifies the pages that are connected to this server when its numbers begin to stand still and when they
 * change again, and those that join meanwhile or wait for that.
 *
 * @returns stop
 */
export function announceStandingStill(
  { servers, realtime, ownApp, broadcastHere, clock }: StandingStillOptions,
): () => void {
  if (!servers.areSeveral) return () => {};
  let announced = servers.standsStillSince;
  let cancel: (() => void) | undefined;
  let isDue = false;
  const publish = () => {
    announced = servers.standsStillSince;
    const payload: StandingStill = { since: announced ?? null };
    broadcastHere(onlineChannel, "StandingStill", payload);
  };
  /** The first page that joins gets the event at once, those within a second after it get one together. */
  const joined = () => {
    if (servers.standsStillSince === undefined) return;
    isDue = cancel !== undefined;
    if (isDue) return;
    publish();
    cancel = clock.after(pauseMs, () => {
      cancel = undefined;
      if (isDue) joined();
    });
  };
  const stopListening = [
    servers.onChange(() => {
      if (servers.standsStillSince !== announced) publish();
    }),
    realtime.onSubscription((channel, { id }) => {
      if (channel === onlineChannel && id === ownApp().settings.id) joined();
    }),
    // A page waits to be subscribed until its user is a member, which takes a connection to the others.
    ownApp().listeners.presence.add(onlineChannel, joined),
  ];
  return () => {
    for (const stop of stopListening) stop();
    cancel?.();
  };
}
