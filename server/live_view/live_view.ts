/**
 * What admins' pages are sent while they are open: who is in a counted channel, by name, its totals, the top
 * pages, and the health of the server.
 *
 * Each counted channel has a publisher, and a channel of its own on which its pages listen. Up to 5,000 users
 * it sends every change of the list, in events of many changes, at most twice a second
 * (`online_publisher.ts`). Above that, pages are sent totals (`summary_publisher.ts`) and ask for the rows
 * that they show, which are searched and sorted on the server (`live_member_index.ts`).
 *
 * The promises: changes are found by comparing who is in the channel with what was published last, so none is
 * lost when a look-up of names fails. A list has a version, and events continue it without a gap: a page that
 * misses one asks for the list again. While no admin's page is open, nothing is looked up or sent.
 *
 * With several servers, a page is sent what its own server publishes. Who is in the channel is known there at
 * once; connections and pages of other servers are asked for every two seconds.
 *
 * The trade-off: a name is shown up to half a second after the number has moved, and an admin of a large
 * channel sees rows that are up to a second old. In return, 500 joins a second cost few messages.
 *
 * @module
 */
import type { Core } from "../core.ts";
import { entryLog } from "../observability/logging.ts";
import { adminChannel, isTotalsChannel, onlineChannel } from "../presence/channels.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import type { App } from "@/realtime/server.ts";
import { type CountedTotals, onlineKey } from "@/shared/counted.ts";
import { ChannelPublisher } from "./channel_publisher.ts";
import type { FollowedChannel } from "./counted_channel.ts";
import { type ShownTotals, TotalsPublisher } from "./totals_publisher.ts";
import { HealthMeter } from "./health_meter.ts";
import { TopPagesPublisher } from "./top_pages.ts";

const log = entryLog("pages");

/** How often pages that are open get what changed on other servers, in milliseconds. */
const lookEveryMs = 2_000;

/** Keeps admins' pages up to date with who is online and with the server's health. */
export interface LiveView {
  /** Of the users online. */
  publisher: ChannelPublisher;
  health: HealthMeter;
  topPages: TopPagesPublisher;
  /** The users of counted channels now; undefined where only one is counted. */
  totals(shown?: ShownTotals): CountedTotals | undefined;
  /** The publisher of a counted channel. @throws {Error} when the channel is not counted */
  publisherOf(channel: string): ChannelPublisher;
  /** The name or role of a user changed at this server: pages of all servers show it. */
  identityChanged(id: string): void;
  /** It changed at this server or another one: shows it on the pages of this one. */
  showIdentity(id: string): void;
  /** Calls back when the name or role of a user changed, at any server. @returns unsubscribe */
  onIdentity(changed: (id: string) => void): () => void;
  /** Apps were added, changed or removed. */
  appsChanged(): void;
  stop(): Promise<void>;
}

/**
 * Starts publishing changes of the counted channels and the health of the server to admins' pages.
 *
 * @param channels the counted ones, the channel of the users online first.
 * @param source the name of an app, where there are several.
 */
export function startLiveView(
  core: Core,
  channels: readonly FollowedChannel[],
  source: (appId: string) => string | undefined,
): LiveView {
  const { cluster, servers } = core;
  const publishers = new Map(channels.map((channel) => [
    channel.key,
    publisherFor(core, channel, source),
  ]));
  const publisherOf = (key: string) => {
    const publisher = publishers.get(key);
    if (!publisher) throw new Error(`The channel ${key} is not counted`);
    return publisher;
  };
  const [online] = channels;
  const health = new HealthMeter(core, channels.map(({ pagesChannel }) => pagesChannel), log);
  const topPages = new TopPagesPublisher(core, online.presence, log);
  const totals = new TotalsPublisher(core, channels, log);
  /** What happens to connections of other servers is not notified of. */
  function lookAgain() {
    for (const { key, pagesChannel } of channels) {
      if (core.ownApp.isOccupied(pagesChannel)) publisherOf(key).changed();
    }
    for (const { presence } of channels) void presence.refreshActive();
    topPages.memberChanged();
    cancelLook = systemClock.after(lookEveryMs, lookAgain);
  }
  function showIdentity(id: string) {
    for (const publisher of publishers.values()) publisher.identityChanged(id);
    for (const changed of [...identityListeners]) changed(id);
  }
  const identityListeners = new Set<(id: string) => void>();
  let cancelLook = () => {};
  if (servers.areSeveral) lookAgain();
  const stopListening = [
    ...channels.flatMap(({ key, presence }) => {
      const publisher = publisherOf(key);
      return [
        presence.onPresence((change) => publisher.presenceChanged(change)),
        presence.onPages(() => publisher.changed()),
        presence.onActiveUsers(() => publisher.changed()),
        presence.onActivity((userId) => publisher.activityChanged(userId)),
        presence.onUpdated((userId) => publisher.identityChanged(userId)),
        presence.onRemoved(() => publisher.replaced()),
      ];
    }),
    ...channels.length > 1
      ? channels.map(({ presence }) => presence.onPresence(() => totals.changed()))
      : [],
    core.realtime.onSubscription((channel, { id }) => {
      if (id === core.ownApp.settings.id && isTotalsChannel(channel)) {
        totals.joined(channel);
      }
    }),
    online.presence.onPresence(() => topPages.memberChanged()),
    online.presence.onPages(() => topPages.pageChanged()),
  ];
  return {
    publisher: publisherOf(online.key),
    publisherOf,
    health,
    topPages,
    totals: (shown) => channels.length > 1 ? totals.current(shown) : undefined,
    identityChanged(id) {
      showIdentity(id);
      void cluster?.bus.changes.changed("account", id);
    },
    showIdentity,
    onIdentity(changed) {
      identityListeners.add(changed);
      return () => identityListeners.delete(changed);
    },
    appsChanged() {
      for (const publisher of publishers.values()) publisher.changed();
    },
    async stop() {
      for (const stop of stopListening) stop();
      cancelLook();
      health.stop();
      topPages.stop();
      totals.stop();
      await Promise.all(publishers.values().map((publisher) => publisher.stop()));
    },
  };
}

/** Publishes who is in a counted channel. */
function publisherFor(
  core: Core,
  { key, appId, isOwn, pagesChannel, presence, recovery }: FollowedChannel,
  source: (appId: string) => string | undefined,
): ChannelPublisher {
  const { accounts, broadcastHere, servers } = core;
  const isWatched = () => core.ownApp.isOccupied(pagesChannel);
  recovery.whenOver(() => isWatched() && broadcastHere(pagesChannel, "RecoveryEnded", {}));
  return new ChannelPublisher({
    channel: key,
    presence,
    areSeveral: servers.areSeveral,
    // The ids of another app's users are not ids of accounts.
    accountsOf: (ids) => isOwn ? accounts.findAll(ids) : Promise.resolve([]),
    source: () => source(appId),
    isWatched,
    publishChanges: (changed) => broadcastHere(pagesChannel, "OnlineChanged", changed),
    publishSummary: (summary) => broadcastHere(pagesChannel, "OnlineSummary", summary),
    resized(isLarge) {
      if (key === onlineKey) reconnectAdmins(core.ownApp, isLarge);
    },
    clock: systemClock,
    log,
  });
}

/**
 * Has pages join the channel of the users online again, signed for its size: where it is large, the pages of
 * admins are quiet too; where it is not, admins who see who is online are full members.
 */
function reconnectAdmins(ownApp: App, isLarge: boolean): void {
  ownApp.connections.reconnectPages(
    onlineChannel,
    isLarge ? { isQuiet: false } : { isQuiet: true, alsoIn: adminChannel },
  );
}
