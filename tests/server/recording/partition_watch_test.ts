import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { ServerReport } from "@/server/database/server_reports.ts";
import { isPartitioned, PartitionWatch } from "@/server/recording/partition_watch.ts";
import type { Cluster } from "@/realtime/cluster/cluster.ts";
import type { Engine } from "@/realtime/cluster/engine.ts";
import { startSharing } from "@/server/other_servers.ts";
import { until } from "../../fixtures/eventually.ts";
import { FakeServers, partOf } from "../../fixtures/doubles.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { BusServer, MemoryTopics } from "../../realtime/cluster/bus/bus_server.ts";

const self = { id: "1", leaseMs: 10_000 };
const alone = { id: "1", seesRedis: false, ageMs: 0, forMs: 20_000 };
const other = { id: "2", seesRedis: true, ageMs: 10_000, forMs: 20_000 };

describe("a server is partitioned", () => {
  it("when it has not reached Redis for two leases, and another one has and does", () => {
    assert.equal(isPartitioned([alone, other], self), true);
    assert.equal(
      isPartitioned([{ ...other, id: "3", seesRedis: false }, other, alone], self),
      true,
    );
  });

  it("not before both is so for two leases, as after an outage for all", () => {
    assert.equal(isPartitioned([{ ...alone, forMs: 19_999 }, other], self), false);
    assert.equal(isPartitioned([alone, { ...other, forMs: 19_999 }], self), false);
  });

  it("not when no other server reaches Redis, or none has reported for a lease", () => {
    assert.equal(isPartitioned([alone], self), false);
    assert.equal(isPartitioned([alone, { ...other, seesRedis: false }], self), false);
    assert.equal(isPartitioned([alone, { ...other, ageMs: 10_001 }], self), false);
  });

  it("not when it reaches Redis, or has not reported", () => {
    assert.equal(isPartitioned([{ ...alone, seesRedis: true }, other], self), false);
    assert.equal(isPartitioned([other, { ...other, id: "3", seesRedis: false }], self), false);
  });
});

/** A watch of a server among others, whose reports a test sets. */
class Watched {
  readonly clock = new ManualClock();
  readonly servers = new FakeServers();
  readonly calls: string[] = [];
  /** What the others report, and the last report of this server. */
  rows: ServerReport[] = [other];
  forMs = 0;
  isBroken = false;
  readonly watch: PartitionWatch;

  constructor() {
    this.watch = new PartitionWatch({
      id: "1",
      servers: this.servers,
      clock: this.clock,
      reports: partOf({
        report: (seesRedis, isChanged) => {
          this.calls.push(`${seesRedis ? "sees" : "misses"}${isChanged ? " newly" : ""}`);
          return this.isBroken ? Promise.reject(new Error("no database")) : Promise.resolve();
        },
        read: () => {
          const seesRedis = this.servers.staleSince === undefined;
          return Promise.resolve([{ ...alone, seesRedis, forMs: this.forMs }, ...this.rows]);
        },
        remove: () => this.#called("remove"),
        deleteOld: () => this.#called("delete old"),
      }),
      changed: (isPartitioned) =>
        this.calls.push(isPartitioned ? "partitioned" : "not partitioned"),
      read: (all) => this.calls.push(`read ${all.length}`),
      failed: () => this.calls.push("failed"),
    });
  }

  /** What was called until the next report is due. */
  async settled(): Promise<string[]> {
    await until(() => this.clock.timers > 0, "the next report was due");
    return this.calls.splice(0);
  }

  /** What is called by the next report. */
  async next(): Promise<string[]> {
    this.clock.advance(3_334);
    return await this.settled();
  }

  #called(name: string): Promise<void> {
    this.calls.push(name);
    return Promise.resolve();
  }
}

describe("the watch of a server", () => {
  it("reports three times a lease and at each change, and finds the server partitioned and back", async () => {
    const watched = new Watched();
    const { servers } = watched;
    assert.deepEqual(await watched.settled(), ["delete old", "sees newly", "read 2"]);
    assert.deepEqual(await watched.next(), ["sees", "read 2"]);
    servers.change({ staleSince: 5 });
    assert.deepEqual(await watched.settled(), ["misses newly", "read 2"]);
    watched.forMs = 20_000;
    assert.deepEqual(await watched.next(), ["misses", "read 2", "partitioned"]);
    assert.deepEqual(await watched.next(), ["misses", "read 2"]);
    servers.change({ staleSince: undefined });
    assert.deepEqual(watched.calls.splice(0), ["not partitioned", "sees newly"]);
    assert.deepEqual(await watched.settled(), ["read 2"]);
    await watched.watch.stop();
    assert.deepEqual(watched.calls, ["remove"]);
    assert.deepEqual([watched.clock.timers, servers.listeners], [0, 0]);
  });

  it("reports a second loss of Redis as news, although it has not reported the return between", async () => {
    const watched = new Watched();
    watched.servers.change({ staleSince: 5 });
    await watched.settled();
    watched.servers.staleSince = 9;
    assert.deepEqual(await watched.next(), ["misses newly", "read 2"]);
    await watched.watch.stop();
  });

  it("does not take the server for partitioned while the database fails, and logs that once", async () => {
    const watched = new Watched();
    watched.forMs = 20_000;
    await watched.settled();
    watched.servers.change({ staleSince: 5 });
    assert.equal((await watched.settled()).at(-1), "partitioned");
    watched.isBroken = true;
    assert.deepEqual(await watched.next(), ["misses", "not partitioned", "failed"]);
    assert.deepEqual(await watched.next(), ["misses"]);
    watched.isBroken = false;
    assert.deepEqual(await watched.next(), ["misses", "read 2", "partitioned"]);
    await watched.watch.stop();
  });

  it("changes nothing after it was stopped while it read", async () => {
    const watched = new Watched();
    watched.forMs = 20_000;
    watched.servers.staleSince = 5;
    await watched.watch.stop();
    assert.deepEqual(watched.calls, ["delete old", "misses newly", "read 2", "remove"]);
    assert.equal(watched.clock.timers, 0);
  });
});

it("what others changed while a server was starting is read again once it shares", async () => {
  const link = new MemoryTopics().connect();
  const server = new BusServer(link, { number: 1, clock: new ManualClock(), all: [] });
  await server.bus.start();
  const read: string[] = [];
  const reads = (what: string) => ({ reload: () => Promise.resolve(void read.push(what)) });
  const counted = [{ presence: { onActivityHere() {} }, alert: reads("alerts") }];
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
    apiTokens: { onRevoked() {} },
    eventStreams: { look: () => Promise.resolve(void read.push("api_tokens")) },
    firstAppUser: reads("first_app_user"),
    readSettings: () => void read.push("settings"),
  };
  await startSharing(shared as unknown as Parameters<typeof startSharing>[0], { lagMs: 0 });
  assert.deepEqual(read.toSorted(), ["alerts", "api_tokens", "apps", "embeds", "first_app_user"]);
  await server.stop();
});
