import type { Accounts } from "../accounts/accounts.ts";
import type { Broadcast } from "../broadcasting.ts";
import { adminChannel, onlineChannel } from "../channels.ts";
import { systemClock } from "../realtime/deadlines.ts";
import type { LogEntry, RealtimeServer } from "../realtime/server.ts";
import { OnlinePublisher } from "./publisher.ts";

/** What the live view is made from. */
export interface LiveViewOptions {
  realtime: RealtimeServer;
  accounts: Accounts;
  broadcast: Broadcast;
  log: (entry: LogEntry) => void;
}

/** What admins see of who is online, kept up to date on their pages. */
export interface LiveView {
  publisher: OnlinePublisher;
  stop(): Promise<void>;
}

/** Starts to tell admins what happens in the channel of the users online. */
export function openLiveView(options: LiveViewOptions): LiveView {
  const { realtime, accounts, broadcast, log } = options;
  const publisher = new OnlinePublisher({
    members: () => realtime.members(onlineChannel),
    accountsOf: (ids) => accounts.findAll(ids),
    isWatched: () => realtime.isOccupied(adminChannel),
    publish: (changed) => broadcast(adminChannel, "OnlineChanged", changed),
    clock: systemClock,
    log,
  });
  const stopListening = realtime.onPresence(onlineChannel, () => publisher.changed());
  return {
    publisher,
    async stop() {
      stopListening();
      await publisher.stop();
    },
  };
}
