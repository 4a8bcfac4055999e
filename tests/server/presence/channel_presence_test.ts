import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { ChannelPresence } from "@/server/presence/channel_presence.ts";
import {
  admit,
  inspectorChannel,
  totalsChannel,
  type Visitor,
} from "@/server/presence/channels.ts";
import { countedTargets } from "@/server/presence/counted_target.ts";
import { onlyServer, viewOfServers } from "@/server/presence/servers.ts";
import { InspectedServer, own, shop } from "../channels/inspected_server.ts";
import { FakeServers, serverRow } from "../../fixtures/doubles.ts";

/** Values without repetitions: a join changes users and connections. */
function changes<Value>(heard: readonly Value[]): Value[] {
  return heard.filter((value, index) => index === 0 || value !== heard[index - 1]);
}

const target = { appId: shop.id, channel: "presence-orders" };

describe("the members of a channel of an app that comes and goes", () => {
  it("are none while the app is not served, and the users who join once it is", () => {
    const server = new InspectedServer();
    server.realtime.replaceApps([own]);
    const presence = new ChannelPresence(server.realtime, target);
    const counts: number[] = [];
    presence.onPresence(({ users }) => counts.push(users));
    assert.deepEqual([presence.now, presence.members()], [
      { users: 0, connections: 0, userIds: [] },
      [],
    ]);
    server.realtime.replaceApps([own, shop]);
    presence.appsChanged();
    server.join(shop.id, target.channel, "7");
    server.join(shop.id, "presence-chart", "8");
    assert.deepEqual(presence.now.userIds, ["7"]);
    assert.deepEqual(presence.members().map(({ userId }) => userId), ["7"]);
    assert.deepEqual(changes(counts), [0, 1]);
  });

  it("are gone when the app is removed, and counted again when it is added", () => {
    const server = new InspectedServer();
    const presence = new ChannelPresence(server.realtime, target);
    const heard: (number | string)[] = [];
    presence.onPresence(({ users }) => heard.push(users));
    presence.onRemoved(() => heard.push("removed"));
    server.join(shop.id, target.channel, "7");
    server.realtime.replaceApps([own]);
    presence.appsChanged();
    presence.appsChanged();
    assert.deepEqual([changes(heard.splice(0)), presence.now.users], [[1, 0, "removed", 0], 0]);
    server.realtime.replaceApps([own, shop]);
    presence.appsChanged();
    server.join(shop.id, target.channel, "8");
    assert.deepEqual(changes(heard), [0, 1]);
  });

  it("tell of a member whom the app's server changed, and of no join or leave by it", async () => {
    const server = new InspectedServer();
    const presence = new ChannelPresence(server.realtime, target);
    server.join(shop.id, target.channel, "7");
    const heard: unknown[] = [];
    presence.onPresence(({ users }) => heard.push(users));
    presence.onUpdated((userId) => heard.push(userId));
    const app = server.app(shop.id);
    await app.updateMember(target.channel, "7", { options: { name: "Ann" } });
    await app.updateMember(target.channel, "8", { options: { name: "Ben" } });
    assert.deepEqual(heard, ["7"]);
    assert.equal(presence.members()[0].member?.options?.name, "Ann");
  });

  it("stay when other apps change or its secret does", () => {
    const server = new InspectedServer();
    const presence = new ChannelPresence(server.realtime, target);
    const heard: unknown[] = [];
    server.join(shop.id, target.channel, "7");
    presence.onRemoved(() => heard.push("removed"));
    presence.onPresence(({ users }) => heard.push(users));
    server.realtime.replaceApps([own, { ...shop, secret: "another" }]);
    presence.appsChanged();
    assert.deepEqual([heard, presence.now.users], [[], 1]);
  });

  it("are followed by each listener until it stops", () => {
    const server = new InspectedServer();
    const presence = new ChannelPresence(server.realtime, target);
    const heard: string[] = [];
    const stopFirst = presence.onPresence(() => heard.push("first"));
    presence.onPresence(() => heard.push("second"));
    stopFirst();
    server.join(shop.id, target.channel, "7");
    assert.deepEqual(changes(heard), ["second"]);
  });
});

const user: Visitor = { id: "a1", kind: "user", role: "user", limits: null };
const viewer: Visitor = { ...user, role: "viewer" };
const admin: Visitor = { ...user, role: "admin" };
const guest: Visitor = { id: "guest-1", kind: "guest", role: null, limits: null };

const [online, desk, support] = countedTargets(
  [{ channel: "presence-desk" }, { appId: "shop", channel: "presence-support" }],
  "own",
);
const countedHere = [online, desk, support];
const ofDesk: Visitor = { ...viewer, id: "a3", limits: [{ app: "own", channel: "presence-desk" }] };
const ofShop: Visitor = {
  ...viewer,
  id: "a4",
  role: "moderator",
  limits: [{ app: "shop", channel: null }, { app: "own", channel: "presence-desk" }],
};
const limitedAdmin: Visitor = { ...ofDesk, id: "a5", role: "admin" };
const limitedUser: Visitor = { ...ofDesk, id: "a6", role: "user" };
const inspected = (appId: string, channel: string) => inspectorChannel({ appId, channel });

const admissions: [Visitor, string, ReturnType<typeof admit>][] = [
  [user, "presence-chart", { id: "a1" }],
  [guest, "presence-chart", { id: "guest-1" }],
  [user, "private-rollcall.users.a1", true],
  [user, "private-rollcall.users.a2", false],
  [guest, "private-rollcall.users.guest-1", true],
  [guest, "private-rollcall.users.a1", false],
  [user, "private-rollcall.online", false],
  [viewer, "private-rollcall.online", true],
  [admin, "private-rollcall.online", true],
  [guest, "private-rollcall.online", false],
  [user, "private-rollcall.inspector.0", false],
  [viewer, "private-rollcall.inspector.0", true],
  [admin, "private-rollcall.inspector.0", true],
  [user, "private-rollcall.counted.0", false],
  [viewer, "private-rollcall.counted.0", true],
  [viewer, "private-rollcall.users.a2", false],
  [guest, "private-rollcall.inspector.0", false],
  [user, "private-rollcall.users.a1.x", false],
  [user, "private-usersXa1", false],
  [user, "presence-chart2", false],
  [user, "private-encrypted-users.a1", false],
  [ofDesk, "presence-chart", { id: "a3" }],
  [ofDesk, desk.pagesChannel, true],
  [ofDesk, online.pagesChannel, false],
  [ofDesk, support.pagesChannel, false],
  [ofDesk, "private-rollcall.counted.0", false],
  [ofDesk, totalsChannel([desk]), true],
  [ofDesk, totalsChannel([online, desk]), false],
  [ofDesk, totalsChannel([]), false],
  [ofDesk, inspected("own", "presence-desk"), true],
  [ofDesk, inspected("own", "presence-chart"), false],
  [ofDesk, inspected("shop", "presence-desk"), false],
  [ofDesk, "private-rollcall.inspector.0", false],
  [ofShop, support.pagesChannel, true],
  [ofShop, online.pagesChannel, false],
  [ofShop, totalsChannel([support, desk]), true],
  [ofShop, totalsChannel([support]), true],
  [ofShop, totalsChannel([support, online]), false],
  [ofShop, totalsChannel([support, desk, { key: "presence-new" }]), false],
  [ofShop, totalsChannel([support, support]), false],
  [user, totalsChannel(countedHere), false],
  [ofShop, inspected("shop", "orders"), true],
  [ofShop, inspected("own", "orders"), false],
  [limitedAdmin, online.pagesChannel, true],
  [limitedAdmin, totalsChannel(countedHere), true],
  [limitedUser, desk.pagesChannel, false],
  [limitedUser, totalsChannel([desk]), false],
  [limitedUser, inspected("own", "presence-desk"), false],
  [viewer, totalsChannel(countedHere), true],
];

describe("the rules of the channels", () => {
  for (const [visitor, channel, admission] of admissions) {
    const answer = admission === false ? "refuse" : "admit";
    it(`${answer} the ${visitor.role ?? visitor.kind} ${visitor.id} to ${channel}`, () => {
      assert.deepEqual(admit(visitor, channel, countedHere), admission);
    });
  }

  it("refuse a user to a channel of any other name", () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        fc.pre(name !== "presence-chart" && name !== "private-rollcall.users.a1");
        assert.equal(admit(user, name, countedHere), false);
      }),
    );
  });
});

const now = 1_000_000;
const web1 = serverRow({ number: "1", lastHeartbeatAt: now, isSelf: true });
const web2 = (lastHeartbeatAt: number) => serverRow({ number: "2", lastHeartbeatAt });

/** Whether the second server is lost; undefined when no page shows it. */
async function isLost(lastHeartbeatAt: number, staleSince?: number): Promise<boolean | undefined> {
  const servers = new FakeServers();
  servers.change({ rows: [web1, web2(lastHeartbeatAt)], staleSince });
  const view = await viewOfServers(servers, now);
  return view?.rows.find(({ number }) => number === "2")?.isLost;
}

describe("the servers on a page", () => {
  it("are none where there can be one only", async () => {
    assert.equal(await viewOfServers(onlyServer, now), null);
  });

  it("have a server as lost that has not reported for a lease, and for a minute more", async () => {
    assert.equal(await isLost(now - 10_000), false);
    assert.equal(await isLost(now - 10_001), true);
    assert.equal(await isLost(now - 70_000), true);
    assert.equal(await isLost(now - 70_001), undefined);
  });

  it("have none as lost that reported before this server lost Redis", async () => {
    assert.equal(await isLost(now - 40_000, now - 35_000), false);
    assert.equal(await isLost(now - 46_000, now - 35_000), true);
  });

  it("have this server always, however long ago its report is", async () => {
    const servers = new FakeServers();
    servers.change({ rows: [{ ...web1, lastHeartbeatAt: 0 }] });
    const view = await viewOfServers(servers, now);
    assert.deepEqual(view?.rows.map(({ isLost }) => isLost), [false]);
  });

  it("are in the order of their starts, whatever order they are known in", async () => {
    const servers = new FakeServers();
    const rows = [[9, "1"], [5, "3"], [5, "2"]].map(([startedAt, number]) =>
      serverRow({ startedAt: Number(startedAt), number: String(number), lastHeartbeatAt: now })
    );
    servers.change({ rows, alive: { alive: 3, known: 4 }, staleSince: now - 1 });
    const view = await viewOfServers(servers, now);
    assert.deepEqual(view?.rows.map(({ number }) => number), ["2", "3", "1"]);
    assert.deepEqual([view?.alive, view?.known, view?.staleSince], [3, 4, now - 1]);
  });
});
