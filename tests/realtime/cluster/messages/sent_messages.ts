import { ManualClock } from "../../manual_clock.ts";
import { BusServer, MemoryTopics, room } from "../bus/bus_server.ts";

/** A message as it was sent. */
export interface SentMessage {
  readonly topic: string;
  readonly text: string;
}

/** One message of each kind that this release sends, and its answer. */
export async function sentMessages(): Promise<SentMessage[]> {
  const [topics, clock, all] = [new MemoryTopics(), new ManualClock(), [] as BusServer[]];
  const [one, other] = [1, 2].map((number) =>
    new BusServer(topics.connect(), { number, clock, all, prefix: "rollcall:" })
  );
  for (const { bus } of all) await bus.start();
  const page = { path: "/cart", device: "phone", since: 0 } as const;
  const activity = { state: "idle", since: 0 } as const;
  other.join("ann").subscriptions.set(room, { userId: "ann", page, activity });
  const { id } = other.connect();
  clock.advance(500);
  const { everywhere } = one;
  await everywhere.claimSocket(id, { userId: "bob", sessionId: "session-1" });
  await everywhere.members(room, new Set(["ann", "eve"]));
  await everywhere.remotePages(room);
  await everywhere.remoteActiveUsers(room);
  await everywhere.sessionIds(["session-1", "session-2"]);
  await everywhere.connections();
  const at = clock.date();
  other.servers.serveStatuses(() => ({
    joined: [{ at, id: "ann", name: "Ann", channel: room, isCounted: true }],
    rejected: [{ at, times: 2, rejection: { reason: "wrong_key", from: "api", message: "No" } }],
  }));
  await one.servers.others.appStatuses("1");
  other.servers.servePages(() => Promise.resolve({ status: 200, body: '{"people":[]}' }));
  await one.servers.others.page(id, "online-list", { channel: null });
  other.servers.serveMetrics({ group: "supervisor-1", number: 2 }, () => Promise.resolve("up 1\n"));
  await one.servers.others.metrics("supervisor-1");
  const closing = { code: 4200, reason: "Sign in again", cause: "signed_out" } as const;
  everywhere.closeSession("session-1", closing);
  everywhere.closeUser("ann");
  everywhere.reconnectUser("bob");
  everywhere.reconnectPages(room, { isQuiet: true, alsoIn: "private-admin" });
  one.realtime.appApi("1")?.terminateUser("ann");
  one.changes.changed("alerts");
  one.link.isUp = false;
  one.link.isUp = true;
  await new Promise<void>((resolve) => setTimeout(resolve));
  for (const server of all) await server.stop();
  return topics.published;
}
