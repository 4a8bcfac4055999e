import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { FollowedRooms } from "../../../cluster/node/followed_rooms.ts";
import { listenerOf } from "../../realtime/broker_events.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { MemoryLink } from "./memory_link.ts";
import { turn } from "./turn.ts";

describe("A room that is followed", () => {
  it("has who joined while its members were read", async () => {
    const [clock, link] = [new ManualClock(), new MemoryLink()];
    const room = "1:presence-room";
    const rooms = new FollowedRooms({
      node: { name: "1.1", isUp: true, lost() {}, unsettledMs: 0 },
      state: {
        read() {
          const opened = { version: 1, isSettled: true, members: new Map(), subscribers: 0 };
          link.receive(room, '{"v":1,"t":"added","p":1,"n":2,"u":"ann"}\n{"id":"ann","info":"{}"}');
          return Promise.resolve(opened);
        },
        subscribers: () => Promise.resolve(0),
      },
      redis: link,
      topicOf: (room) => room,
      appOf: () => undefined,
      ...{ clock, log: ({ message }) => assert.fail(message) },
    });
    const received: string[] = [];
    rooms.open(
      room,
      listenerOf({
        onSnapshot: ({ version }) => void received.push(`snapshot ${version}`),
        onMembership: ({ type, version }) => void received.push(`${type} ${version}`),
        onOpened: () => void received.push("opened"),
      }),
    );
    await turn();
    assert.deepEqual(received, ["snapshot 1", "opened", "added 2"]);
    rooms.stop(false);
  });
});
