import "../page/every_page_scripts.ts";
import { keepSubscribed, sharedEcho } from "../connection/echo.ts";
import { nextFrame } from "../page/first_number.ts";
import type { OnlineEvent } from "./online.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { AlertView } from "@/shared/alert.ts";
import type { OnlineSummary } from "@/shared/large_channel.ts";
import type { OnlineChanged } from "@/shared/online.ts";

/** The names by which Echo knows the channels of the admins and of the users online. */
const [adminChannel, presenceChannel] = ["rollcall.online", "chart"];

/** What the connection reports to the feed. */
export interface OnlineReports {
  report(event: OnlineEvent): void;
  /** An event of any name arrived; the name is without its namespace. */
  received(name: string, payload: unknown): void;
}

/** Joins the admins' channel over the page's connection and reports its events. */
export function connectOnline(settings: ClientSettings, { report, received }: OnlineReports): void {
  const { connection } = sharedEcho(settings).connector.pusher;
  const channel = sharedEcho(settings).private(settings.pagesChannel ?? adminChannel);
  let receivedAt = Date.now();
  const changes = gathered<OnlineChanged>((some) =>
    report({ type: "changed", changes: some, at: Date.now() })
  );
  const dropped = () => report({ type: "dropped", trueAt: receivedAt });
  connection.bind("message", () => receivedAt = Date.now());
  for (const state of ["connecting", "connecting_in", "unavailable", "disconnected", "failed"]) {
    connection.bind(state, dropped);
  }
  channel.listenToAll((name: string, payload: unknown) => {
    if (name === "OnlineChanged") changes.add(payload as OnlineChanged);
    if (name === "OnlineSummary") {
      report({ type: "summary", summary: payload as OnlineSummary, at: Date.now() });
    }
    if (name === "AlertChanged") report({ type: "alert", alert: payload as AlertView });
    if (name === "RecoveryEnded") report({ type: "recovered" });
    received(name, payload);
  });
  const subscribed = () => {
    changes.clear();
    report({ type: "subscribed", at: Date.now() });
  };
  // The reader is counted in the channel of the users online only.
  if (settings.pagesChannel) channel.subscribed(subscribed);
  else onceBothJoined(settings, subscribed);
  keepSubscribed(channel, {
    refused: (problem) => report({ type: "refused", problem, trueAt: receivedAt }),
  });
  const { totalsChannel } = settings;
  if (totalsChannel) {
    // The page goes on without the sum of the counted channels.
    const totals = sharedEcho(settings).private(totalsChannel).listenToAll(received);
    keepSubscribed(totals, { refused() {} });
  }
}

/**
 * Calls back whenever the page is in the admins' channel and is counted itself: an earlier list would
 * be without the reader. A reader who is not counted at all is not waited for.
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

/** Passes on all items of a frame at once, because each change copies the list. */
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
