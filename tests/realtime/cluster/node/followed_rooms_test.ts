import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { IgnoredMessages } from "@/realtime/cluster/messages/room_message.ts";
import { FollowedRooms } from "@/realtime/cluster/node/followed_rooms.ts";
import { listenerOf } from "../../broker_events.ts";
import { ManualClock } from "../../manual_clock.ts";
import { MemoryLink } from "./memory_link.ts";
import { settle } from "./settle.ts";

const room = "1:presence-room";

/** A room whose members are read with `read`, and what its listener receives. */
function followed(link: MemoryLink, ignored: IgnoredMessages, read: () => void = () => {}) {
  const rooms = new FollowedRooms({
    node: { name: "1.1", isUp: true, lost() {}, unsettledMs: 0 },
    state: {
      read() {
        const opened = {
          version: 1,
          isSettled: true,
          beganAt: 0,
          members: new Map(),
          subscribers: 0,
        };
        read();
        return Promise.resolve(opened);
      },
      scan: () => Promise.reject(new Error("not asked")),
      subscribers: () => Promise.resolve(0),
    },
    redis: link,
    topicOf: (room) => room,
    appOf: () => undefined,
    clock: new ManualClock(),
    ignored,
  });
  const received: string[] = [];
  rooms.open(
    room,
    listenerOf({
      onSnapshot: ({ version }) => void received.push(`snapshot ${version}`),
      onMembership: ({ type, version }) => void received.push(`${type} ${version}`),
      onOpened: () => void received.push("opened"),
      onPublished: ({ text }) => void received.push(text),
    }),
  );
  return { rooms, received };
}

describe("A room that is followed", () => {
  it("has who joined while its members were read", async () => {
    const link = new MemoryLink();
    const ignored = new IgnoredMessages(({ message }) => assert.fail(message));
    const { rooms, received } = followed(link, ignored, () => {
      link.receive(room, '{"v":1,"t":"added","p":1,"n":2,"u":"ann"}\n{"id":"ann","info":"{}"}');
    });
    await settle();
    assert.deepEqual(received, ["snapshot 1", "opened", "added 2"]);
    rooms.stop();
  });
});
