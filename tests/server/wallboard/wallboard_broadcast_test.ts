import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import { appSettings } from "@/realtime/app_config.ts";
import type { PresenceListener, SubscriptionListener } from "@/realtime/server.ts";
import { type UsersCounted, wallboardChannel } from "@/shared/wallboard.ts";
import { FakeServers } from "../../fixtures/fake_servers.ts";
import { broadcastToWallboards } from "@/server/wallboard/wallboard_publisher.ts";

function app(id: string) {
  return appSettings({ id, key: "", secret: "" });
}

/** Everything is occupied; `ownApp` has the id `own` and one user at first. */
function simulate() {
  const told: [channel: string, users: number][] = [];
  const doubts: (number | undefined)[] = [];
  const servers = new FakeServers();
  let subscribed: SubscriptionListener = () => {};
  let counted: PresenceListener = () => {};
  broadcastToWallboards({
    realtime: {
      onSubscription(listener) {
        subscribed = listener;
        return () => {};
      },
    },
    ownApp: () => ({
      settings: app("own"),
      presence: { counts: () => ({ users: 1, connections: 1 }) },
      listeners: {
        presence: {
          add(_, listener) {
            counted = listener;
            return () => {};
          },
        },
      },
      isOccupied: () => true,
    }),
    recovery: { shown: null, whenOver: () => () => {} },
    servers,
    broadcastHere: (channel, _, payload) => {
      const { users, staleSince } = payload as UsersCounted;
      told.push([channel, users]);
      doubts.push(staleSince);
    },
    log() {},
  });
  return { told, doubts, servers, subscribe: subscribed, count: counted };
}

describe("the count of wallboards", () => {
  const channel = wallboardChannel("1");

  it("is told to a wallboard that joins, and after each change", () => {
    using time = new FakeTime();
    const { told, subscribe, count } = simulate();
    subscribe(channel, app("own"));
    time.tick(0);
    count({ users: 4, connections: 5 });
    time.tick(250);
    assert.deepEqual(told, [[channel, 1], [channel, 4]]);
  });

  it("says at once that it stands still, and that it changes again", () => {
    using time = new FakeTime();
    const { doubts, servers, subscribe } = simulate();
    subscribe(channel, app("own"));
    time.tick(250);
    servers.change({ staleSince: 7 });
    time.tick(250);
    servers.change({ staleSince: undefined });
    time.tick(250);
    assert.deepEqual(doubts, [undefined, 7, undefined]);
  });

  it("is told to no channel of the same name in another app, and to no other channel", () => {
    using time = new FakeTime();
    const { told, subscribe, count } = simulate();
    subscribe(channel, app("another"));
    subscribe("private-orders", app("own"));
    count({ users: 4, connections: 5 });
    time.tick(20_000);
    assert.deepEqual(told, []);
  });
});
