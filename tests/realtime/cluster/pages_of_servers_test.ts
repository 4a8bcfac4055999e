import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { AppStatuses } from "@/server/apps/app_statuses.ts";
import { hereBroadcaster } from "@/server/presence/channels.ts";
import { Cluster } from "@/realtime/cluster/cluster.ts";
import { Inspector, pagesChannelOf } from "@/server/channels/inspector.ts";
import { departures } from "@/realtime/events/server_events.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import { until } from "../../fixtures/eventually.ts";
import { sharedRedis } from "../../fixtures/redis.ts";
import { asConnection, FakeConnection } from "../fake_connection.ts";
import { app, Harness } from "../harness.ts";

const room = "presence-room";
const target = { appId: app.id, channel: room };
const pagesChannel = pagesChannelOf(target);

/** Two servers that share their users, each with what an admin's pages ask. */
class TwoServers {
  readonly #stack = new AsyncDisposableStack();
  readonly harnesses: Harness[] = [];
  readonly inspectors: Inspector[] = [];

  static async start(): Promise<TwoServers> {
    const servers = new TwoServers();
    const redis = await sharedRedis();
    servers.#stack.defer(redis.stop);
    const prefix = `${crypto.randomUUID()}:`;
    for (let number = 0; number < 2; number++) await servers.#add(redis.address, prefix);
    return servers;
  }

  async #add(url: string, prefix: string): Promise<void> {
    const cluster = await Cluster.open({ url, prefix, clock: systemClock, log() {} });
    this.#stack.defer(() => cluster.close());
    const { broker, bus: { others }, number: serverNumber } = cluster;
    const harness = this.#stack.use(new Harness({ broker, others, serverNumber }));
    cluster.bus.serve(harness.realtime);
    const inspector = new Inspector({
      realtime: harness.realtime,
      ownApp: () => harness.app,
      broadcastHere: hereBroadcaster(() => harness.app),
      clock: systemClock,
      log() {},
    });
    this.#stack.defer(() => inspector.stop());
    this.harnesses.push(harness);
    this.inspectors.push(inspector);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

describe("what an admin's page shows of several servers", () => {
  it("has the events, joins and leaves of clients of another server, and ends with the page", async () => {
    await using servers = await TwoServers.start();
    const [here, there] = servers.harnesses;
    const [inspector] = servers.inspectors;
    const page = asConnection(new FakeConnection("1.1", "", here.app));
    here.app.opened(page);
    here.app.hub.subscribe(page, pagesChannel);
    await until(() => here.app.isOccupied(pagesChannel));
    await there.member("eve", room);
    const opened = inspector.open(target);
    assert.ok(typeof opened === "object" && opened.isOpen);
    await until(() => here.app.presence.of(room).userIds.includes("eve"));
    const names = () => {
      const now = inspector.open(target);
      return typeof now === "object" ? now.lines.map(({ from, name }) => `${from} ${name}`) : [];
    };
    const ann = await there.member("ann", room);
    await until(() => names().includes("rollcall pusher_internal:member_added"));
    there.realtime.appApi(app.id)!.publish({
      channel: room,
      name: "paid",
      data: "{}",
      from: "api",
    });
    there.app.publish(room, "note", {});
    await until(() => names().includes("api paid") && names().includes("rollcall note"));
    ann.close();
    await until(() => names().at(-1) === "rollcall pusher_internal:member_removed");
    assert.deepEqual(names(), [
      "rollcall pusher_internal:member_added",
      "api paid",
      "rollcall note",
      "rollcall pusher_internal:member_removed",
    ]);
    here.app.released(page, departures.closed);
    await until(() => inspector.size === 0, "the inspection ended with its last page");
    await until(() => here.realtime.stats().channels === 0, "the room is not followed any more");
  });

  it("names the user who joined an app last, whichever server that was", async () => {
    await using servers = await TwoServers.start();
    const [here] = servers.harnesses;
    const statuses = new AppStatuses({
      realtime: here.realtime,
      ownAppId: "own",
      accountsOf: () => Promise.resolve([]),
      isWatched: () => false,
      publish() {},
      clock: systemClock,
      firstAppUser: { hasCome: false },
    });
    await here.member("ann", room);
    await until(async () => (await statuses.of(app.id)).joined?.id === "ann");
    statuses.stop();
  });
});
