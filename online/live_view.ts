import type { Accounts } from "../accounts/accounts.ts";
import type { Broadcast } from "../broadcasting.ts";
import { adminChannel, onlineChannel } from "../channels.ts";
import type { Database } from "../database/database.ts";
import { systemClock } from "../realtime/timing/clock.ts";
import type { App, LogEntry, RealtimeServer } from "../realtime/server.ts";
import { HealthMeter } from "./health_meter.ts";
import { OnlinePublisher } from "./online_publisher.ts";
import { TopPagesPublisher } from "./top_pages_publisher.ts";

/** Options of {@link openLiveView}. */
export interface LiveViewOptions {
  database: Pick<Database, "outages">;
  realtime: RealtimeServer;
  /** The app of the pages. */
  ownApp: () => App;
  accounts: Accounts;
  /** See {@link PublisherOptions.source}. */
  source: () => string | undefined;
  broadcast: Broadcast;
  /** Of Rollcall. */
  version: string;
  log: (entry: LogEntry) => void;
}

/** Keeps admins' pages up to date with who is online and with the server's health. */
export interface LiveView {
  publisher: OnlinePublisher;
  health: HealthMeter;
  topPages: TopPagesPublisher;
  stop(): Promise<void>;
}

/** Starts publishing changes of the online channel and the health of the server to admins' pages. */
export function openLiveView(options: LiveViewOptions): LiveView {
  const { database, realtime, ownApp, accounts, source, broadcast, version, log } = options;
  const isWatched = () => ownApp().isOccupied(adminChannel);
  const publisher = new OnlinePublisher({
    members: () => ownApp().members(onlineChannel),
    accountsOf: (ids) => accounts.findAll(ids),
    ...{ source, isWatched },
    publish: (changed) => broadcast(adminChannel, "OnlineChanged", changed),
    clock: systemClock,
    log,
  });
  const health = new HealthMeter({
    realtime,
    outage: () => database.outages.current,
    version,
    isWatched,
    publish: (measured) => broadcast(adminChannel, "HealthMeasured", measured),
    clock: systemClock,
    log,
  });
  const topPages = new TopPagesPublisher({
    members: () => ownApp().members(onlineChannel),
    isWatched,
    publish: (pages) => broadcast(adminChannel, "TopPagesChanged", pages),
    clock: systemClock,
    log,
  });
  const stopListening = [
    ownApp().onPresence(onlineChannel, () => {
      publisher.changed();
      topPages.memberChanged();
    }),
    ownApp().onPages(onlineChannel, () => {
      publisher.changed();
      topPages.pageChanged();
    }),
  ];
  return {
    publisher,
    health,
    topPages,
    async stop() {
      for (const stop of stopListening) stop();
      health.stop();
      topPages.stop();
      await publisher.stop();
    },
  };
}
