import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Registry } from "prom-client";
import { addServerMetrics } from "@/server/observability/server_metrics.ts";
import { onlyServer, type Servers } from "@/server/presence/servers.ts";
import { FakeServers } from "../../fixtures/fake_servers.ts";

/** The metrics by name. */
async function read(servers: Servers): Promise<Record<string, number>> {
  const registry = new Registry();
  addServerMetrics(registry, servers);
  const lines = (await registry.metrics()).split("\n").filter((line) => /^rollcall/.test(line));
  return Object.fromEntries(
    lines.map((line) => line.split(" ")).map(([name, value]) => [name, Number(value)]),
  );
}

describe("the metrics of several servers", () => {
  it("are how many answer, whether Redis does, whether this server is the leader and what it cannot read", async () => {
    const servers = new FakeServers();
    assert.deepEqual(await read(servers), {
      rollcall_servers: 3,
      rollcall_servers_known: 3,
      rollcall_redis_up: 1,
      rollcall_leader: 0,
      'rollcall_ignored_messages_total{reason="malformed"}': 0,
      'rollcall_ignored_messages_total{reason="unknown"}': 0,
    });
    servers.change({
      alive: { alive: 2, known: 3 },
      staleSince: 7,
      isLeader: true,
      ignoredMessages: { malformed: 2, unknown: 5 },
    });
    assert.deepEqual(await read(servers), {
      rollcall_servers: 2,
      rollcall_servers_known: 3,
      rollcall_redis_up: 0,
      rollcall_leader: 1,
      'rollcall_ignored_messages_total{reason="malformed"}': 2,
      'rollcall_ignored_messages_total{reason="unknown"}': 5,
    });
  });

  it("are absent where there can be one server only", async () => {
    assert.deepEqual(await read(onlyServer), {});
  });
});
