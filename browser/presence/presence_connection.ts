import {
  retryDelayMs,
  sharedEcho,
  subscriptionRefusal,
  watchConnection,
} from "../connection/connection.ts";
import type { PresenceChannel } from "pusher-js";
import { atMostEvery } from "../timing/at_most_every.ts";
import { memberIds } from "./member_ids.ts";
import type { PresenceEvent } from "./presence.ts";
import type { ClientSettings } from "../../shared/client_settings.ts";

/** The name by which Echo knows the presence channel whose members are the users online. */
const channelName = "chart";

/** How often {@link Report} gets a tick, in milliseconds. */
const tickMs = 1_000;

/** Joins and leaves are reported at most this often, in milliseconds: a report copies all ids. */
const listEveryMs = 250;

type Report = (event: PresenceEvent) => void;
type SharedEcho = ReturnType<typeof sharedEcho>;

/** Joins the presence channel over the page's connection and reports its events. */
export function connectPresence(settings: ClientSettings, report: Report): void {
  const echo = sharedEcho(settings);
  watchConnection(echo, report);
  joinChannel(echo, report);
  setInterval(() => report({ type: "tick", at: Date.now() }), tickMs);
}

function joinChannel(echo: SharedEcho, report: Report): void {
  let failures = 0;
  const channel = echo.join(channelName);
  const list = () => {
    const { members } = channel.subscription as PresenceChannel;
    report({ type: "here", ids: memberIds(members), at: Date.now() });
  };
  const changed = atMostEvery(listEveryMs, () => {
    // pusher-js empties the list of a connection that was lost.
    if (channel.subscription.subscribed) list();
  });
  // Another part of the page may have joined before.
  if (channel.subscription.subscribed) list();
  channel
    .here(() => {
      failures = 0;
      list();
    })
    // Echo passes on `user_info` alone, which need not identify a user; the list has the ids.
    .joining(changed)
    .leaving(changed)
    .error((error: unknown) => {
      const reason = subscriptionRefusal(error);
      if (reason !== null) return report({ type: "refused", reason, at: Date.now() });
      report({ type: "dropped", at: Date.now() });
      const { subscription } = channel;
      setTimeout(() => {
        if (!subscription.subscriptionPending) subscription.subscribe();
      }, retryDelayMs(failures++, Math.random()));
    });
}
