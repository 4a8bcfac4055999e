import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { ChannelPresence } from "@/server/presence/channel_presence.ts";
import { InspectedServer, own, shop } from "../channels/inspected_server.ts";

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

  it("are gone when the app is removed, and counted anew when it is added again", () => {
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
