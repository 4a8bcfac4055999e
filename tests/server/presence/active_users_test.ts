import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  ChannelPresence,
  followCounts,
  shareUserActivity,
} from "@/server/presence/channel_presence.ts";
import { departures } from "@/realtime/events/server_events.ts";
import { until } from "../../fixtures/eventually.ts";
import { BusServer, MemoryTopics, room } from "../../realtime/cluster/bus/bus_server.ts";
import { asConnection, type FakeConnection } from "../../realtime/doubles.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

/** Two servers, and the active users as the first one knows them. */
async function simulate() {
  const [topics, clock, all] = [new MemoryTopics(), new ManualClock(), [] as BusServer[]];
  const [here, elsewhere] = [1, 2].map((number) =>
    new BusServer(topics.connect(), { number, clock, all })
  );
  for (const { bus } of all) await bus.start();
  const presence = new ChannelPresence(here.realtime, { appId: "1", channel: room });
  const [told, counts]: [string[], (number | null)[]] = [[], []];
  presence.onActivity((userId) => told.push(userId));
  followCounts(presence, ({ active }) => counts.push(active));
  const report = (
    server: BusServer,
    tab: FakeConnection,
    state: "active" | "idle",
    milliseconds = 1_000,
  ) => {
    server.app.activity.report(asConnection(tab), room, { state, seconds: 0 });
    clock.advance(milliseconds);
  };
  const stop = async () => {
    for (const server of all) await server.stop();
  };
  return { all, clock, here, elsewhere, presence, told, counts, report, stop };
}

describe("the active users of a channel", () => {
  it("are known at once of this server, and unknown while no tab reports", async () => {
    const { here, presence, told, counts, report, stop } = await simulate();
    const [ann, bob] = [here.join("ann"), here.join("bob")];
    assert.equal(presence.active, null);
    report(here, ann, "active");
    report(here, bob, "idle");
    assert.deepEqual([presence.active, told], [1, ["ann", "bob"]]);
    here.app.released(asConnection(ann), departures.closed);
    here.app.released(asConnection(bob), departures.closed);
    assert.equal(presence.active, null);
    assert.deepEqual(counts.slice(-1), [null]);
    await stop();
  });

  it("are those of all servers, each once, when these are asked, and who changed there is told", async () => {
    const { elsewhere, here, presence, told, counts, report, stop } = await simulate();
    report(here, here.join("ann"), "active");
    const [ann, bob] = [elsewhere.join("ann"), elsewhere.join("bob")];
    report(elsewhere, ann, "active");
    report(elsewhere, bob, "active");
    await presence.refreshActive();
    assert.equal(presence.active, 2);
    assert.deepEqual(told.splice(0), ["ann", "ann", "bob"]);
    assert.equal(counts.at(-1), 2);
    counts.length = 0;
    await presence.refreshActive();
    assert.deepEqual([told, counts], [[], []], "nothing changed");
    report(elsewhere, bob, "idle");
    await presence.refreshActive();
    assert.deepEqual([presence.active, told, counts], [1, ["bob"], [1]]);
    await stop();
  });

  it("stay while a server does not answer", async () => {
    const { all, elsewhere, here, presence, report, stop } = await simulate();
    report(here, here.join("ann"), "active");
    report(elsewhere, elsewhere.join("bob"), "active");
    await presence.refreshActive();
    elsewhere.link.isUp = false;
    const asked = presence.refreshActive();
    here.link.isUp = false;
    await asked;
    assert.equal(presence.active, 2);
    for (const { link } of all) link.isUp = true;
    await stop();
  });

  it("are told as soon as one reports at another server, without being asked for", async () => {
    const { clock, elsewhere, here, presence, told, counts, report, stop } = await simulate();
    const remote = new ChannelPresence(elsewhere.realtime, { appId: "1", channel: room });
    shareUserActivity([{ key: "counted", presence }], here.servers.userActivity);
    shareUserActivity([{ key: "counted", presence: remote }], elsewhere.servers.userActivity);
    const bob = elsewhere.join("bob");
    report(elsewhere, bob, "active", 250);
    await until(() => presence.active === 1);
    assert.deepEqual([told.at(-1), counts.at(-1)], ["bob", 1]);
    clock.advance(60_000);
    report(elsewhere, bob, "idle", 250);
    await until(() => presence.active === 0);
    clock.advance(60_000);
    assert.equal(clock.timers, 0, "nothing is sent while nothing changes");
    await stop();
  });
});
