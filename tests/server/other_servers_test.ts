import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import type { Cluster } from "@/realtime/cluster/cluster.ts";
import type { Engine } from "@/realtime/cluster/engine.ts";
import { startSharing } from "@/server/other_servers.ts";
import { partOf } from "../fixtures/doubles.ts";
import { BusServer } from "../realtime/cluster/bus/bus_server.ts";
import { MemoryTopics } from "../realtime/cluster/bus/memory_redis.ts";
import { ManualClock } from "../realtime/manual_clock.ts";

it("what others changed while a server was starting is read again once it shares", async () => {
  const link = new MemoryTopics().connect();
  const server = new BusServer(link, { number: 1, clock: new ManualClock(), all: [] });
  await server.bus.start();
  const read: string[] = [];
  const reads = (what: string) => ({ reload: () => Promise.resolve(void read.push(what)) });
  const counted = [{ presence: {}, alert: reads("alerts") }];
  const cluster = partOf<Cluster>({
    bus: server.servers,
    engine: partOf<Engine>({ place: "coordinator" }),
    serve() {},
    lead() {},
  });
  const shared = {
    cluster,
    counted,
    apps: reads("apps"),
    embeds: reads("embeds"),
    firstAppUser: reads("first_app_user"),
    readSettings: () => void read.push("settings"),
  };
  await startSharing(shared as unknown as Parameters<typeof startSharing>[0], { lagMs: 0 });
  assert.deepEqual(read.toSorted(), ["alerts", "apps", "embeds", "first_app_user"]);
  await server.stop();
});
