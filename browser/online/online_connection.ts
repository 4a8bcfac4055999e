import { sharedEcho } from "../connection/echo.ts";
import { nextFrame } from "../page/next_frame.ts";
import type { OnlineEvent } from "./online.ts";
import { retryDelayMs, subscriptionRefusal } from "../presence/presence_signals.ts";
import type { ClientSettings } from "../../shared/client_settings.ts";
import type { OnlineChanged } from "../../shared/online.ts";

/** The names by which Echo knows the channel of the admins, and that of the users online. */
const [adminChannel, presenceChannel] = ["admin.online", "chart"];

/** What the connection tells the feed. */
export interface OnlineReports {
  report(event: OnlineEvent): void;
  /** An event of any name came, without its namespace. */
  heard(name: string, payload: unknown): void;
}

/** Joins the admins' channel over the page's connection and reports all that happens. */
export function connectOnline(settings: ClientSettings, { report, heard }: OnlineReports): void {
  const { connection } = sharedEcho(settings).connector.pusher;
  const channel = sharedEcho(settings).private(adminChannel);
  let heardAt = Date.now();
  let failures = 0;
  const changes = gathered<OnlineChanged>((some) =>
    report({ type: "changed", changes: some, at: Date.now() })
  );
  const dropped = () => report({ type: "dropped", trueAt: heardAt });
  connection.bind("message", () => heardAt = Date.now());
  for (const state of ["connecting", "connecting_in", "unavailable", "disconnected", "failed"]) {
    connection.bind(state, dropped);
  }
  channel.listenToAll((name: string, payload: unknown) => {
    if (name === "OnlineChanged") changes.add(payload as OnlineChanged);
    heard(name, payload);
  });
  onceBothJoined(settings, () => {
    failures = 0;
    changes.clear();
    report({ type: "subscribed", at: Date.now() });
  });
  channel.error((error: unknown) => {
    const problem = subscriptionRefusal(error);
    if (problem !== null) return report({ type: "refused", problem, trueAt: heardAt });
    const { subscription } = channel;
    setTimeout(() => {
      if (!subscription.subscriptionPending) subscription.subscribe();
    }, retryDelayMs(failures++, Math.random()));
  });
}

/**
 * Calls back whenever the page is in the admins' channel and counted itself: a list of before would
 * be without the reader. Whoever is not counted at all is not waited for.
 */
function onceBothJoined(settings: ClientSettings, callback: () => void): void {
  const echo = sharedEcho(settings);
  const own = echo.private(adminChannel);
  const presence = echo.join(presenceChannel);
  let isRefused = false;
  const joined = () => {
    if (own.subscription.subscribed && (isRefused || presence.subscription.subscribed)) callback();
  };
  own.subscribed(joined);
  presence.subscribed(() => {
    isRefused = false;
    joined();
  });
  presence.error(() => {
    isRefused = true;
    joined();
  });
}

/** Hands on all that was added since the frame before at once: lists are copied for each change. */
function gathered<Item>(take: (items: Item[]) => void) {
  let items: Item[] = [];
  const flush = () => {
    if (items.length > 0) take(items.splice(0));
  };
  return {
    add: (item: Item) => items.push(item) === 1 && nextFrame(flush),
    clear: () => {
      items = [];
    },
  };
}
