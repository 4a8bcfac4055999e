import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Cluster } from "@/realtime/cluster/cluster.ts";
import type { ServerBus } from "@/realtime/cluster/bus/server_bus.ts";
import { AppStatuses, type StatusOfServer } from "@/server/apps/app_statuses.ts";
import type { Core } from "@/server/core.ts";
import { onlineChannel } from "@/server/presence/channels.ts";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { app, Harness } from "../../realtime/harness.ts";
import { partOf } from "../../fixtures/doubles.ts";

/** Statuses of a running server, whose account `admin` is Rollcall's own. */
function statusesOf(harness: Harness, { isWatched = true } = {}) {
  const clock = new ManualClock();
  let notices = 0;
  const core: Core = partOf({
    realtime: harness.realtime,
    served: partOf({ own: app }),
    ownApp: partOf({ isOccupied: () => isWatched }),
    accounts: partOf({
      findAll: (ids) =>
        Promise.resolve(
          ids.filter((id) => id === "admin").map((id) => ({ id, name: "Ada", role: "admin" })),
        ),
    }),
    broadcast: () => Promise.resolve(void notices++),
  });
  const statuses = new AppStatuses(core, partOf({ hasCome: false }), clock);
  return { statuses, clock, notices: () => notices };
}

describe("the status of an app", () => {
  it("has the latest user of the app, who is no account or guest of Rollcall", async () => {
    await using harness = new Harness();
    const { statuses, clock, notices } = statusesOf(harness);
    assert.deepEqual(await statuses.of(app.id), {
      joined: null,
      rejected: [],
      hasHadUser: false,
    });
    const client = await harness.connect();
    const data = JSON.stringify({ user_id: 7, rollcall: { name: "Ann" } });
    client.subscribe(
      onlineChannel,
      signChannel(app, client.socketId, onlineChannel, data),
      data,
    );
    await client.next("pusher_internal:subscription_succeeded");
    await harness.member("admin", onlineChannel);
    await harness.member(`guest-${"3f2a".repeat(8)}`, onlineChannel);
    const { joined } = await statuses.of(app.id);
    assert.deepEqual({ ...joined, at: 0 }, {
      at: 0,
      id: "7",
      name: "Ann",
      channel: onlineChannel,
      isCounted: true,
    });
    clock.advance(500);
    assert.equal(notices(), 1, "many changes are one notice");
    statuses.stop();
  });

  it("has a user who joins again as they are then", async () => {
    await using harness = new Harness();
    const { statuses } = statusesOf(harness);
    const join = async (userId: number, name: string) => {
      const client = await harness.connect();
      const data = JSON.stringify({ user_id: userId, rollcall: { name } });
      client.subscribe(
        onlineChannel,
        signChannel(app, client.socketId, onlineChannel, data),
        data,
      );
      await client.next("pusher_internal:subscription_succeeded");
      return client;
    };
    const first = await join(7, "An");
    await join(8, "Ben");
    first.send("pusher:unsubscribe", { channel: onlineChannel });
    await first.settled();
    await join(7, "Ann");
    assert.equal((await statuses.of(app.id)).joined?.name, "Ann");
    statuses.stop();
  });

  it("waits for the first user although the check of the public URL and simulated users have joined", async () => {
    await using harness = new Harness();
    const { statuses } = statusesOf(harness);
    await harness.member("rollcall-check.Xk3", "presence-rollcall-check.Xk3");
    await harness.member("rollcall-crowd.1", onlineChannel);
    assert.equal((await statuses.of(app.id)).joined, null);
    statuses.stop();
  });

  it("marks a user of another channel as not counted", async () => {
    await using harness = new Harness();
    const { statuses } = statusesOf(harness);
    await harness.member("7", "presence-room");
    const { joined } = await statuses.of(app.id);
    assert.deepEqual([joined?.channel, joined?.isCounted], ["presence-room", false]);
    statuses.stop();
  });

  it("has the clients that were rejected, with the reason of each", async () => {
    await using harness = new Harness({ rules: { allowedOrigins: ["https://shop.example"] } });
    const { statuses } = statusesOf(harness);
    for (const key of [app.key, "unknown"]) {
      const client = harness.open(`/app/${key}?protocol=7`, { origin: "https://evil.example" });
      await client.closed;
    }
    const client = await harness.connect();
    client.subscribe("private-a", `${app.key}:${"0".repeat(64)}`);
    client.subscribe("private-a", `other:${"0".repeat(64)}`);
    client.subscribe("not a name");
    const data = JSON.stringify({ user_id: "7", rollcall: { name: 7 } });
    client.subscribe(
      onlineChannel,
      signChannel(app, client.socketId, onlineChannel, data),
      data,
    );
    await client.settled();
    const { rejected } = await statuses.of(app.id);
    assert.deepEqual(rejected.map(({ title }) => title).toReversed(), [
      "Origin not allowed",
      "Unknown key",
      "Wrong signature",
      "Wrong key in the signature",
      "Wrong channel name",
      "Invalid member data",
    ]);
    assert.match(rejected.at(-1)?.message ?? "", /https:\/\/evil\.example/);
    statuses.stop();
  });

  it("notifies no page while none is open, and listens no more after its stop", async () => {
    await using harness = new Harness();
    const { statuses, clock, notices } = statusesOf(harness, { isWatched: false });
    await harness.member("7", "presence-room");
    clock.advance(1_000);
    assert.equal(notices(), 0);
    statuses.stop();
    await harness.member("8", "presence-room");
    assert.equal((await statuses.of(app.id)).joined?.id, "7");
  });

  it("has the latest user and the rejections of all servers", async () => {
    await using harness = new Harness();
    const others: StatusOfServer[] = [{
      joined: [{ at: 1, id: "9", name: "Zoe", channel: "presence-room", isCounted: false }],
      rejected: [{
        at: 1,
        times: 2,
        rejection: { reason: "wrong_clock", from: "api", message: "Off" },
      }],
    }];
    const bus: ServerBus = partOf({
      others: partOf({ appStatuses: () => Promise.resolve(others) }),
    });
    const core: Core = partOf({
      realtime: harness.realtime,
      served: partOf({ own: app }),
      accounts: partOf({ findAll: () => Promise.resolve([]) }),
      cluster: partOf<Cluster>({ bus }),
    });
    const statuses = new AppStatuses(core, partOf({ hasCome: true }), new ManualClock());
    await harness.member("7", "presence-room");
    const { joined, rejected } = await statuses.of(app.id);
    assert.equal(joined?.name, "Zoe");
    assert.deepEqual(rejected.map(({ title, times }) => [title, times]), [["Clock is off", 2]]);
    assert.deepEqual(statuses.here(app.id).joined.map(({ id }) => id), ["7"]);
    statuses.stop();
  });
});
