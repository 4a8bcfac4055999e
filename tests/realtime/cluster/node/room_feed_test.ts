import { setImmediate } from "node:timers";
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  frameMessage,
  IgnoredMessages,
  memberText,
} from "@/realtime/cluster/messages/room_message.ts";
import { RoomFeed } from "@/realtime/cluster/node/room_feed.ts";
import type { OpenedRoom } from "@/realtime/cluster/state/shared_state.ts";
import { FollowedRooms } from "@/realtime/cluster/node/followed_rooms.ts";
import { until } from "../../../fixtures/eventually.ts";
import { listenerOf } from "../../doubles.ts";
import { ManualClock } from "../../manual_clock.ts";
import { MemoryLink, settle } from "./memory_link.ts";
import { partOf } from "../../../fixtures/doubles.ts";

const added = '{"v":1,"t":"added","p":1,"n":2,"u":"ann"}\n{"id":"ann","info":"{}"}';

/** A room that is being followed, and what its listener receives. */
function fed(ignored = new IgnoredMessages(({ message }) => assert.fail(message))) {
  const feed = new RoomFeed(partOf({ name: "1.1" }), new ManualClock(), ignored);
  const received: string[] = [];
  const members: string[] = [];
  const listen = (to = received) =>
    feed.open(listenerOf({
      onSnapshot({ isPartial, members: some, version }) {
        members.push(...some.map(({ id }) => id));
        to.push(`${isPartial ? "part of " : ""}snapshot ${version}`);
      },
      onMembership: ({ type, version }) => void to.push(`${type} ${version}`),
      onOpened: () => void to.push("opened"),
      onPublished: ({ text }) => void to.push(text),
    }));
  listen();
  return { feed, received, members, listen };
}

function opened(version = 1): Promise<OpenedRoom> {
  return Promise.resolve({
    version,
    isSettled: true,
    beganAt: 0,
    members: new Map(),
    subscribers: 0,
  });
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
      for (let count = 0; count <= 100_000; count++) feed.receive(added);
      return opened();
    });
    assert.equal(feed.isStale, true);
    await feed.read(() => opened(2));
    assert.deepEqual(received, ["snapshot 1", "opened", "snapshot 2"]);
    assert.equal(feed.isStale, false);
  });

  /** A large room at version 1, whose members come in steps. */
  const large = async () => ({ ...await opened(), isLarge: true } as const);
  const texts = (...ids: string[]) =>
    new Map(ids.map((id) => [id, memberText({ id, info: "{}" })]));
  const removed = (user: string, previous: number) =>
    `{"v":1,"t":"removed","p":${previous},"n":${previous + 1},"u":"${user}"}`;

  const updated = (user: string, info: string, previous: number) =>
    `{"v":1,"t":"updated","p":${previous},"n":${previous + 1},"u":"${user}"}\n` +
    memberText({ id: user, info, isUpdated: true });

  it("has the updates of members that came between the steps in which a large room was read", async () => {
    const { feed } = fed();
    const infos = new Map<string, string>();
    feed.open(listenerOf({
      onSnapshot({ members }) {
        for (const { id, info } of members) infos.set(id, info);
      },
    }));
    await feed.read(large, async function* () {
      yield texts("ben", "cat");
      feed.receive(updated("ben", "1", 1));
      feed.receive(updated("dan", "1", 2));
      feed.receive(updated("dan", "2", 3));
      yield new Map([["dan", memberText({ id: "dan", info: "1", isUpdated: true })]]);
    });
    assert.deepEqual([...infos], [["ben", "1"], ["cat", "{}"], ["dan", "2"]]);
  });

  it("is each update of a member, in its turn", async () => {
    const { feed, received } = fed();
    await feed.read(() => {
      feed.receive(added);
      feed.receive(updated("ann", "1", 2));
      return opened();
    });
    feed.receive(updated("ann", "2", 3));
    assert.deepEqual(received, ["snapshot 1", "opened", "added 2", "updated 3", "updated 4"]);
  });

  it("is the members of a large room at the last change that came between the steps", async () => {
    const { feed, received, members } = fed();
    await feed.read(large, async function* () {
      yield texts("ben", "cat");
      feed.receive(added);
      feed.receive(removed("ben", 2));
      // Redis may repeat members, and may have one who left or lack one who came.
      yield texts("cat", "dan");
    });
    assert.deepEqual(received, ["snapshot 3", "opened"]);
    assert.deepEqual(members, ["cat", "dan", "ann"]);
  });

  it("is the members again when a change is missing between the steps, or messages were missed", async () => {
    for (const miss of ["gap", "connection"]) {
      const { feed, received } = fed();
      await feed.read(large, async function* () {
        yield texts("ben");
        if (miss === "gap") feed.receive(removed("ben", 2));
        else feed.missed();
      });
      assert.deepEqual([received, feed.isStale], [[], true]);
    }
  });

  it("is very many members in parts, with all changes after the last one", async () => {
    const { feed, received, members } = fed();
    const ids = Array.from({ length: 4_500 }, (_, index) => `u${index}`);
    const reading = feed.read(large, async function* () {
      yield texts(...ids);
    });
    await until(() => received.length === 1);
    feed.receive(added);
    feed.receive('{"v":1,"t":"frame"}\nsent');
    await reading;
    const part = "part of snapshot 1";
    assert.deepEqual(received, [part, part, "snapshot 1", "opened", "added 2", "sent"]);
    assert.deepEqual(members, ids);
  });

  /** Messages of a room with frames. */
  const frames = (count: number, start = 0) =>
    Array.from({ length: count }, (_, index) => `{"v":1,"t":"frame"}\n${start + index}`);

  it("is very many messages that waited in parts, with other work between and newer ones after them", async () => {
    const { feed } = fed();
    const received: string[] = [];
    const ticks = new Map<number, number>();
    let tick = 0;
    feed.open(listenerOf({
      onPublished({ text }) {
        received.push(text);
        ticks.set(tick, (ticks.get(tick) ?? 0) + 1);
        // What comes while those that waited are received waits behind them.
        if (received.length === 2_500) {
          for (const newer of frames(5, 7_000)) feed.receive(newer);
        }
      },
    }));
    const countTick = () => void (tick++, received.length < 7_005 && setImmediate(countTick));
    await feed.read(() => {
      for (const message of frames(7_000)) feed.receive(message);
      setImmediate(countTick);
      return opened();
    });
    assert.deepEqual(received, Array.from({ length: 7_005 }, (_, index) => `${index}`));
    assert.ok(Math.max(...ticks.values()) <= 2_000, `${[...ticks.values()]} in each tick`);
    for (const message of frames(1, 7_005)) feed.receive(message);
    assert.equal(received.at(-1), "7005", "nothing waits any more");
  });

  it("is nothing of what waited once the room is followed no more, or by another", async () => {
    for (const isFollowed of [false, true]) {
      const { feed, received, listen } = fed();
      const now: string[] = [];
      let count = 0;
      feed.open(listenerOf({
        onPublished() {
          if (++count < 2_100) return;
          feed.close();
          if (isFollowed) listen(now);
        },
      }));
      await feed.read(() => {
        for (const message of frames(5_000)) feed.receive(message);
        return opened();
      });
      assert.deepEqual([count, received, now, feed.isStale], [2_100, [], [], isFollowed]);
      await feed.read(() => opened(2));
      assert.deepEqual(now, isFollowed ? ["snapshot 2", "opened"] : []);
    }
  });

  it("may be asked for again while messages that waited are received, as one of them shows a gap", async () => {
    const { feed } = fed();
    const isReading: boolean[] = [];
    feed.open(listenerOf({ onPublished: () => void isReading.push(feed.isReading) }));
    await feed.read(() => {
      for (const message of frames(2_001)) feed.receive(message);
      return opened();
    });
    assert.deepEqual(new Set(isReading), new Set([false]));
  });

  it("is the members of a large room after very many changes between the steps, with other work between", async () => {
    const { feed, received, members } = fed();
    let [ticks, ticksBefore] = [0, 0];
    const countTick = () => void (ticks++, received.length === 0 && setImmediate(countTick));
    await feed.read(large, async function* () {
      yield texts("ben");
      for (let version = 1; version < 9_001; version += 2) {
        feed.receive(added.replace('"p":1,"n":2', `"p":${version},"n":${version + 1}`));
        feed.receive(removed("ann", version + 1));
      }
      setImmediate(countTick);
      ticksBefore = ticks;
    });
    assert.deepEqual([received, members], [["snapshot 9001", "opened"], ["ben"]]);
    assert.ok(ticks - ticksBefore >= 4, `other work was done ${ticks} times`);
  });

  it("is the last part again while members are left to remove, with other work between and all changes after", async () => {
    const { feed, received } = fed();
    let removals = 3;
    const calls: number[] = [];
    feed.open(listenerOf({
      onSnapshot({ members: some, removedAtOnce }) {
        assert.ok(removedAtOnce! > 0, "there is a limit");
        calls.push(some.length);
        if (calls.length === 2) setImmediate(() => feed.receive(added));
        return removals-- > 0;
      },
      onMembership: ({ type, version }) => void received.push(`${type} ${version}`),
      onOpened: () => void received.push("opened"),
    }));
    let turns = 0;
    const count = () => void (turns++, calls.length < 4 && setImmediate(count));
    count();
    await feed.read(large, async function* () {
      yield texts("ann", "ben");
    });
    assert.deepEqual([calls, received], [[2, 0, 0, 0], ["opened", "added 2"]]);
    assert.ok(turns >= 3, `other work was done ${turns} times`);
  });

  it("is not removed further from a channel that was closed meanwhile", async () => {
    const { feed } = fed();
    let calls = 0;
    feed.open(listenerOf({
      onSnapshot() {
        if (++calls === 2) feed.close();
        return true;
      },
    }));
    await feed.read(large, async function* () {
      yield texts("ann");
    });
    assert.equal(calls, 2);
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

  it("is the members once the room's event is kept, but in turn where it comes with the messages", async () => {
    const { feed } = fed();
    const kept: (string | undefined)[] = [];
    const note = () => void kept.push(feed.kept?.text);
    feed.open(listenerOf({ onSnapshot: note, onOpened: note, onPublished: note }));
    const events = [1, 2, 3].map((data) => `{"event":"e","data":"${data}"}`);
    const keeping = async (text: string) => ({ ...await opened(), cached: { text, ttlMs: 1_000 } });
    await feed.read(() => keeping(events[0]));
    assert.deepEqual(kept.splice(0), [events[0], events[0]], "at the snapshot and once open");
    await feed.read(() => keeping(events[1]));
    assert.deepEqual(kept.splice(0), [events[1]], "its message was missed");
    await feed.read(() => {
      feed.receive(frameMessage(events[2], { isKept: true }));
      return keeping(events[2]);
    });
    assert.deepEqual(kept, [events[1], events[2]], "at the snapshot and with the message");
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

const room = "1:presence-room";

/** A room whose members are read with `read`, and what its listener receives. */
function followed(link: MemoryLink, ignored: IgnoredMessages, read: () => void = () => {}) {
  const rooms = new FollowedRooms(
    {
      node: partOf({ name: "1.1", isUp: true, lost() {}, unsettledMs: 0 }),
      state: partOf({
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
      }),
      link,
      topicOf: (room) => room,
      ignored,
    },
    new ManualClock(),
    () => undefined,
  );
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
