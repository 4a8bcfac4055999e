import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { type ChannelStats, ChannelStatsCache, takeChannelStats } from "@/server/channels/stats.ts";
import { statsWithin } from "@/server/channels/listed_channels.ts";
import type { Limits } from "@/shared/permissions.ts";
import { InspectedServer, own, shop } from "./inspected_server.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { partOf } from "../../fixtures/doubles.ts";

const apps = [{ id: own.id, name: "Your app" }, { id: shop.id, name: "Shop" }];

/** The channel stats of a server, and how often it paused. */
async function counted(server: InspectedServer) {
  let pauses = 0;
  const pause = () => Promise.resolve(void pauses++);
  return {
    ...await takeChannelStats(server.realtime, apps, { at: 1, pause }),
    pauses: () => pauses,
  };
}

describe("the channel stats of channels", () => {
  it("has each occupied channel with its kind, users and subscriptions, and each app with its totals", async () => {
    const server = new InspectedServer();
    const first = server.join(shop.id, "presence-cache-desk", "7");
    server.subscribe(first, "private-encrypted-chat");
    server.join(shop.id, "presence-cache-desk", "7");
    server.join(shop.id, "presence-cache-desk", "8");
    server.join(shop.id, "presence-hall", "8");
    server.join(shop.id, "#server-to-user-8");
    const { channels, apps } = await counted(server);
    const of = { appId: shop.id, app: "Shop" };
    assert.deepEqual(channels, [
      {
        ...of,
        name: "presence-cache-desk",
        users: 2,
        subscriptions: 3,
        kind: "presence",
        isCache: true,
      },
      {
        ...of,
        name: "private-encrypted-chat",
        users: null,
        subscriptions: 1,
        kind: "encrypted",
        isCache: false,
      },
      {
        ...of,
        name: "presence-hall",
        users: 1,
        subscriptions: 1,
        kind: "presence",
        isCache: false,
      },
      {
        ...of,
        name: "#server-to-user-8",
        users: null,
        subscriptions: 1,
        kind: "user",
        isCache: false,
      },
    ]);
    assert.deepEqual(apps, [
      { id: own.id, name: "Your app", subscriptions: 0, users: 0, connections: 0, channels: 0 },
      { id: shop.id, name: "Shop", subscriptions: 6, users: 2, connections: 5, channels: 4 },
    ]);
  });

  it("tells guests apart in channels and apps, each guest once", async () => {
    const server = new InspectedServer();
    const [first, second] = ["a", "b"].map((digit) => `guest-${digit.repeat(32)}`);
    for (const userId of ["7", first, first, second]) {
      server.join(own.id, "presence-chart", userId);
    }
    const guests = async () => {
      const { apps, channels } = await counted(server);
      return [...apps, ...channels].map(({ users, guests }) => [users, guests]);
    };
    const none = [0, undefined];
    assert.deepEqual(await guests(), [[3, 2], none, [3, 2]]);
    server.join(own.id, "presence-orders", second);
    server.join(own.id, "presence-orders", "8");
    assert.deepEqual(await guests(), [[4, 2], none, [3, 2], [2, 1]]);
    const of = (limits: Limits) => async () =>
      statsWithin(await counted(server), limits).apps.map(({ users, guests }) => [users, guests]);
    assert.deepEqual(await of([{ app: own.id, channel: "presence-chart" }])(), [[3, 2]]);
    assert.deepEqual(await of([{ app: own.id, channel: "presence-orders" }])(), [[2, 1]]);
  });

  it("leaves out the channels of Rollcall's own pages, in its own app only", async () => {
    const server = new InspectedServer();
    server.join(own.id, "private-rollcall.online");
    server.join(own.id, "presence-chart", "7");
    server.join(shop.id, "private-rollcall.online");
    const { channels, apps } = await counted(server);
    assert.deepEqual(channels.map(({ appId, name }) => `${appId} ${name}`), [
      "own presence-chart",
      "shop private-rollcall.online",
    ]);
    assert.deepEqual([apps[0].channels, apps[0].subscriptions, apps[0].connections], [1, 1, 2]);
  });

  it("pauses after every 2,000 channels and users", async () => {
    const server = new InspectedServer();
    const client = server.join(shop.id, "a");
    for (let count = 1; count < 4_500; count++) server.subscribe(client, `a${count}`);
    const { channels, pauses } = await counted(server);
    assert.deepEqual([channels.length, pauses()], [4_500, 2]);
  });

  it("asks at the same time who the users of an app's channels are, and counts each user once", async () => {
    const server = new InspectedServer();
    for (const room of ["a", "b", "c"]) {
      for (const user of ["7", room]) server.join(shop.id, `presence-${room}`, user);
    }
    const asked: string[] = [];
    const { realtime } = server;
    const channelStats = await takeChannelStats(
      partOf({
        onAllServers: (id) => realtime.onAllServers(id),
        app: (id) => realtime.app(id),
        appApi(id) {
          const api = realtime.appApi(id);
          const answer = api?.users.bind(api);
          return api && Object.assign(api, {
            async users(name: string) {
              asked.push(`asked ${name}`);
              const ids = await answer!(name);
              asked.push("answered");
              return ids;
            },
          });
        },
      }),
      apps,
      { at: 1, pause: async () => {} },
    );
    assert.deepEqual(asked.map((one) => one.split(" ")[0]), [
      "asked",
      "asked",
      "asked",
      "answered",
      "answered",
      "answered",
    ]);
    assert.equal(channelStats.apps[1].users, 4);
  });

  it("asks no one who the users of very many members are, nor where one channel has all", async () => {
    const server = new InspectedServer();
    const asked: string[] = [];
    const sizes = new Map([["presence-hall", 10_000], ["presence-desk", 1]]);
    const { realtime } = server;
    const usersOf = async (...names: string[]) => {
      const channelStats = await takeChannelStats(
        partOf({
          onAllServers: (id) => realtime.onAllServers(id),
          app: (id) => realtime.app(id),
          appApi(id) {
            const api = realtime.appApi(id);
            return id === own.id ? api : api && Object.assign(api, {
              channels: () => Promise.resolve(names),
              states: () =>
                Promise.resolve(names.map((name) => (
                  { userCount: sizes.get(name), subscriptionCount: 1 }
                ))),
              users: (name: string) => Promise.resolve((asked.push(name), ["7"])),
            });
          },
        }),
        apps,
        { at: 1, pause: async () => {} },
      );
      assert.deepEqual(
        channelStats.channels.map(({ users }) => users),
        names.map((name) => sizes.get(name)),
      );
      return channelStats.apps[1].users;
    };
    assert.equal(await usersOf("presence-hall"), 10_000);
    assert.equal(await usersOf("presence-hall", "presence-desk"), null);
    assert.deepEqual(asked, []);
    sizes.set("presence-hall", 9_999);
    assert.equal(await usersOf("presence-hall", "presence-desk"), 1);
    assert.deepEqual(asked, ["presence-hall", "presence-desk"]);
  });

  it("leaves out an app that is removed meanwhile", async () => {
    const server = new InspectedServer();
    server.realtime.replaceApps([own]);
    const { apps } = await counted(server);
    assert.deepEqual([apps[1].channels, apps[1].connections], [0, 0]);
  });
});

/** A cache that counts how often it counts; each count takes some time. */
function cache(takesMs: number) {
  const clock = new ManualClock();
  let taken = 0;
  const channelStats = new ChannelStatsCache(() => {
    clock.advance(takesMs);
    return Promise.resolve<ChannelStats>({ at: ++taken, apps: [], channels: [] });
  }, clock);
  return { clock, channelStats, read: async () => (await channelStats.read()).at };
}

describe("the cache of the channel stats", () => {
  it("counts once a second, however many ask", async () => {
    const { clock, read } = cache(0);
    assert.deepEqual([await read(), await read()], [1, 1]);
    clock.advance(999);
    assert.equal(await read(), 1);
    clock.advance(1);
    assert.equal(await read(), 2);
  });

  it("counts once for all who ask while it counts", async () => {
    const { read } = cache(0);
    assert.deepEqual(await Promise.all([read(), read()]), [1, 1]);
  });

  it("counts less often when that takes long: a tenth of the time at most", async () => {
    const { clock, read } = cache(300);
    await read();
    clock.advance(2_999);
    assert.equal(await read(), 1);
    clock.advance(1);
    assert.equal(await read(), 2);
  });

  it("keeps nothing, and sets no timer, once no one asks", async () => {
    const { clock, read } = cache(0);
    await read();
    assert.equal(clock.timers, 1, "it is dropped at a time");
    clock.advance(10_000);
    assert.equal(clock.timers, 0);
  });

  it("counts again after the apps changed", async () => {
    const { channelStats, read } = cache(0);
    await read();
    channelStats.forget();
    assert.equal(await read(), 2);
  });

  it("counts again after it failed", async () => {
    let fails = true;
    const channelStats = new ChannelStatsCache(
      () => fails ? Promise.reject(new Error("of the test")) : Promise.resolve({} as ChannelStats),
      new ManualClock(),
    );
    await assert.rejects(channelStats.read());
    fails = false;
    await channelStats.read();
  });
});
