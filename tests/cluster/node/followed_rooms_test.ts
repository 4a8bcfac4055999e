import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { IgnoredMessages } from "../../../cluster/messages/ignored_messages.ts";
import { FollowedRooms } from "../../../cluster/node/followed_rooms.ts";
import { listenerOf } from "../../realtime/broker_events.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { MemoryLink } from "./memory_link.ts";
import { turn } from "./turn.ts";

const room = "1:presence-room";

/** A room whose members are read with `read`, and what its listener receives. */
function followed(link: MemoryLink, ignored: IgnoredMessages, read: () => void = () => {}) {
  const rooms = new FollowedRooms({
    node: { name: "1.1", isUp: true, lost() {}, unsettledMs: 0 },
    state: {
      read() {
        const opened = { version: 1, isSettled: true, members: new Map(), subscribers: 0 };
        read();
        return Promise.resolve(opened);
      },
      subscribers: () => Promise.resolve(0),
    },
    redis: link,
    topicOf: (room) => room,
    appOf: () => undefined,
    ...{ clock: new ManualClock(), ignored },
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
    await turn();
    assert.deepEqual(received, ["snapshot 1", "opened", "added 2"]);
    rooms.stop();
  });

  it("counts messages that it cannot read, logs one of each kind, and loses no other", async () => {
    const link = new MemoryLink();
    const logged: unknown[] = [];
    const ignored = new IgnoredMessages(({ message, what }) => logged.push([message, what]));
    const { rooms, received } = followed(link, ignored);
    await turn();
    for (let time = 0; time < 2; time++) {
      link.receive(room, "{");
      link.receive(room, '{"v":2,"t":"frame"}\nlater');
      link.receive(room, '{"v":1,"t":"moved","u":"ann"}');
      link.receive(room, '{"v":1,"t":"frame"}');
      link.receive(room, '{"v":1,"t":"added","p":1,"n":2,"u":"ann"}');
      link.receive(room, '{"v":1,"t":"added","p":1,"n":2,"u":"ann"}\n{"id":"ann"');
      link.receive(room, '{"v":1,"t":"removed","p":"1","n":2,"u":"ann"}');
      link.receive(room, '{"v":1,"t":"frame"}\nsent');
    }
    assert.deepEqual(ignored.counts, { unknown: 4, malformed: 10 });
    const [later, malformed] = [
      "A message of a later release was ignored",
      "A malformed message was ignored",
    ];
    assert.deepEqual(logged, [
      [malformed, "room message without version or type"],
      [later, "room message of version 2"],
      [later, "room message of another type"],
      [malformed, "room message frame: no text"],
      [malformed, "room message added: no member"],
      [malformed, "member"],
      [malformed, "room message removed: p"],
    ]);
    assert.deepEqual(received, ["snapshot 1", "opened", "sent", "sent"]);
    rooms.stop();
  });
});
