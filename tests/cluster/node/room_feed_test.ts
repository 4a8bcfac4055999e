import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { IgnoredMessages } from "../../../cluster/messages/ignored_messages.ts";
import { frameMessage } from "../../../cluster/messages/room_message.ts";
import { RoomFeed } from "../../../cluster/node/room_feed.ts";
import type { OpenedRoom } from "../../../cluster/state/shared_state.ts";
import { listenerOf } from "../../realtime/broker_events.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

const added = '{"v":1,"t":"added","p":1,"n":2,"u":"ann"}\n{"id":"ann","info":"{}"}';

/** A room that is being followed, and what its listener receives. */
function fed(ignored = new IgnoredMessages(({ message }) => assert.fail(message))) {
  const feed = new RoomFeed({ node: { name: "1.1" }, clock: new ManualClock(), ignored });
  const received: string[] = [];
  const listen = (to = received) =>
    feed.open(listenerOf({
      onSnapshot: ({ version }) => void to.push(`snapshot ${version}`),
      onMembership: ({ type, version }) => void to.push(`${type} ${version}`),
      onOpened: () => void to.push("opened"),
      onPublished: ({ text }) => void to.push(text),
    }));
  listen();
  return { feed, received, listen };
}

function opened(version = 1): Promise<OpenedRoom> {
  return Promise.resolve({ version, isSettled: true, members: new Map(), subscribers: 0 });
}

describe("What the listener of a room receives", () => {
  it("is the members, and then the changes that came while they were read", async () => {
    const { feed, received } = fed();
    await feed.read(() => {
      feed.receive(added);
      return opened();
    });
    assert.deepEqual(received, ["snapshot 1", "opened", "added 2"]);
    assert.equal(feed.isStale, false);
  });

  it("is the members again when more changes came while they were read than can wait", async () => {
    const { feed, received } = fed();
    await feed.read(() => {
      for (let count = 0; count <= 10_000; count++) feed.receive(added);
      return opened();
    });
    assert.equal(feed.isStale, true);
    await feed.read(() => opened(2));
    assert.deepEqual(received, ["snapshot 1", "opened", "snapshot 2"]);
    assert.equal(feed.isStale, false);
  });

  it("is no event that came before the one that the room kept when its members were read", async () => {
    const { feed, received } = fed();
    const [first, second] = [1, 2].map((data) => `{"event":"e","data":"${data}"}`);
    const read = () =>
      feed.read(async () => {
        for (const event of [first, second]) feed.receive(frameMessage(event, { isKept: true }));
        feed.receive(added);
        return { ...await opened(), cached: { text: second, ttlMs: 1_000 } };
      });
    await read();
    assert.deepEqual(received.splice(0), ["snapshot 1", "opened", "added 2"]);
    assert.equal(feed.kept?.text, second);
    await read();
    assert.deepEqual(
      received,
      ["snapshot 1", first, second, "added 2"],
      "they are new to those there",
    );
  });

  it("is nothing of a reading that began for the listener before", async () => {
    const { feed, received, listen } = fed();
    const now: string[] = [];
    await feed.read(() => {
      feed.close();
      listen(now);
      return opened();
    });
    assert.equal(feed.isStale, true);
    await feed.read(() => opened(2));
    assert.deepEqual([received, now], [[], ["snapshot 2", "opened"]]);
  });

  it("is to be read again when the members could not be read", async () => {
    const { feed, received } = fed();
    await assert.rejects(feed.read(() => Promise.reject(new Error("away"))), /away/);
    assert.deepEqual([feed.isStale, feed.isReading, received], [true, false, []]);
  });

  it("lacks messages that cannot be read; they are counted, and one of each kind is logged", async () => {
    const logged: unknown[] = [];
    const ignored = new IgnoredMessages(({ message, what }) => logged.push([message, what]));
    const { feed, received } = fed(ignored);
    await feed.read(() => opened());
    for (let time = 0; time < 2; time++) {
      feed.receive("{");
      feed.receive('{"v":2,"t":"frame"}\nlater');
      feed.receive('{"v":1,"t":"moved","u":"ann"}');
      feed.receive('{"v":1,"t":"frame"}');
      feed.receive('{"v":1,"t":"added","p":1,"n":2,"u":"ann"}');
      feed.receive('{"v":1,"t":"added","p":1,"n":2,"u":"ann"}\n{"id":"ann"');
      feed.receive('{"v":1,"t":"removed","p":"1","n":2,"u":"ann"}');
      feed.receive('{"v":1,"t":"frame"}\nsent');
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
  });
});
