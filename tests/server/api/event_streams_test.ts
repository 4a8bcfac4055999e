import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { OnlineEvents, type OnlineEventsSource } from "@/server/api/online_events.ts";
import { EventStreams } from "@/server/api/event_streams.ts";
import type { ReadChannel } from "@/server/api/api_access.ts";
import type { ApiToken } from "@/server/api/api_tokens.ts";
import type { ChannelPresence } from "@/server/presence/channel_presence.ts";
import { BusyError } from "@/server/net/window_limits.ts";
import type { MemberChange } from "@/realtime/channels/member_list.ts";
import type { Member } from "@/realtime/protocol/member.ts";
import type { LeaveReason, PresenceChange } from "@/realtime/server.ts";
import type { ApiScope } from "@/shared/api.ts";
import type { UserActivity } from "@/shared/online.ts";
import { FakeServers, partOf } from "../../fixtures/doubles.ts";
import { EventFollower } from "../../fixtures/event_follower.ts";
import { settled, until } from "../../fixtures/eventually.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

/** A channel of the operator's own app that a test fills. */
class Room {
  readonly members = new Map<string, Member>();
  readonly activities = new Map<string, UserActivity>();
  readonly #members = new Set<(change: MemberChange) => void>();
  readonly #presence = new Set<(change: PresenceChange) => void>();
  readonly #activity = new Set<(id: string) => void>();
  readonly #removed = new Set<() => void>();

  constructor(readonly clock: ManualClock) {}

  /** How many listen. */
  get listeners(): number {
    return this.#members.size;
  }

  get counts() {
    return { users: this.members.size, connections: this.members.size };
  }

  readonly presence: ChannelPresence = partOf({
    ...{ active: null },
    member: (id: string) => this.members.get(id),
    usersOnAllServers: (ids: ReadonlySet<string>) => {
      const members = [...ids].filter((id) => this.members.has(id)).map((userId) => {
        const times = { since: 0, lastSeenAt: 0 };
        return { userId, connections: 1, ...times, activity: this.activities.get(userId) };
      });
      return Promise.resolve({ members, isComplete: true, missing: [] });
    },
    onMembers: (listener) => added(this.#members, listener),
    onPresence: (listener) => added(this.#presence, listener),
    onActivity: (listener) => added(this.#activity, listener),
    onRemoved: (listener) => added(this.#removed, listener),
    onActiveUsers: () => () => {},
  });

  join(id: string, name = `Name of ${id}`): void {
    if (this.members.has(id)) return;
    const member = { id, info: "{}", options: { name }, joinedAt: this.clock.date() };
    this.members.set(id, member);
    this.#emit({ added: member });
  }

  leave(id: string, reason: LeaveReason = "closed"): void {
    const member = this.members.get(id);
    if (!member) return;
    this.members.delete(id);
    this.activities.delete(id);
    this.#emit({ removed: id, member, reason });
  }

  rename(id: string, name: string): void {
    const member = this.members.get(id);
    if (!member) return;
    const updated = { ...member, options: { name } };
    this.members.set(id, updated);
    this.#emit({ updated, hasNewInfo: false });
  }

  use(id: string, state: UserActivity["state"]): void {
    if (!this.members.has(id)) return;
    this.activities.set(id, { state, since: this.clock.date() });
    for (const listener of this.#activity) listener(id);
  }

  /** All are gone at once, of which no change tells. */
  removeApp(): void {
    this.members.clear();
    this.activities.clear();
    for (const listener of this.#removed) listener();
    this.#tell();
  }

  /** The members come at once, of which no change tells: a server has just read them. */
  fill(ids: string[]): void {
    for (const id of ids) {
      if (this.members.has(id)) continue;
      this.members.set(id, { id, info: "{}", options: { name: `Name of ${id}` }, joinedAt: 0 });
    }
    this.#tell();
  }

  #emit(change: MemberChange): void {
    for (const listener of this.#members) listener(change);
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#presence) listener(this.counts);
  }
}

function added<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Streams of a room, as one server has them. */
class Streams {
  readonly servers = new FakeServers();
  readonly revoked = new Set<string>();
  /** Set while the database does not answer. */
  isBroken = false;
  readonly events: OnlineEvents;
  readonly streams: EventStreams;
  #onRevoked = (_id: string) => {};
  readonly #channel: ReadChannel;

  constructor(readonly room: Room, options: Partial<OnlineEventsSource> = {}) {
    const { clock, presence } = room;
    this.events = new OnlineEvents({
      key: "7/presence-desk",
      presence,
      accountsOf: () => this.isBroken ? Promise.reject(new Error("none")) : Promise.resolve([]),
      onFreshness: (changed) => this.servers.onChange(changed),
      onIdentity: () => () => {},
      clock,
      ...options,
    });
    this.streams = new EventStreams({
      servers: this.servers,
      tokens: {
        find: (id) =>
          this.isBroken
            ? Promise.reject(new Error("none"))
            : Promise.resolve(this.revoked.has(id) ? null : tokenOf("names", id)),
        onRevoked: (listener) => void (this.#onRevoked = listener),
      },
      eventsOf: () => this.events,
      clock,
    });
    Object.defineProperty(presence, "counts", { get: () => room.counts, configurable: true });
    Object.defineProperty(presence, "now", {
      get: () => ({ ...room.counts, userIds: [...room.members.keys()] }),
      configurable: true,
    });
    const recovery = { shown: null };
    const place = { key: "7/presence-desk", appId: "7", channel: "presence-desk", isOwn: false };
    this.#channel = { ...place, pagesChannel: "", presence, recovery: partOf(recovery) };
  }

  answer(follower?: EventFollower, scope: ApiScope = "names", id = "1"): Response {
    const lastEventId = follower?.lastEventId ?? null;
    return this.streams.answer(this.#channel, tokenOf(scope, id), lastEventId);
  }

  revoke(id: string): void {
    this.revoked.add(id);
    this.#onRevoked(id);
  }
}

function tokenOf(scope: ApiScope, id: string): ApiToken {
  const times = { createdAt: 0, lastUsedAt: null };
  return { id, name: "Shop", scope, app: null, channel: null, createdBy: "ada", ...times };
}

/** What a program should know of the room. */
function truth(room: Room): Map<string, object> {
  return new Map([...room.members].map(([id, { joinedAt = 0, options }]) => {
    const { state = null, since = 0 } = room.activities.get(id) ?? {};
    const idleSince = state === "idle" ? new Date(since).toISOString() : null;
    return [id, {
      ...{ id, app: "7", name: options?.name, detail: null, url: null },
      online_since: new Date(joinedAt).toISOString(),
      status: state,
      idle_since: idleSince,
    }];
  }));
}

/** Waits until a program knows what it should. */
async function known(follower: EventFollower, room: Room): Promise<void> {
  const isKnown = () => isDeepStrictEqual(sorted(follower.people), sorted(truth(room)));
  await until(isKnown).catch(() => assert.deepEqual(sorted(follower.people), sorted(truth(room))));
}

function sorted(people: ReadonlyMap<string, object>): [string, object][] {
  return [...people].sort(([one], [other]) => one < other ? -1 : 1);
}

describe("a stream of who is online", () => {
  const start = () => {
    const room = new Room(new ManualClock());
    return { room, streams: new Streams(room) };
  };

  it("begins with everyone, and goes on with who joins, leaves and changes", async () => {
    const { room, streams } = start();
    room.join("ann");
    const follower = new EventFollower();
    const ended = follower.read(streams.answer());
    await known(follower, room);
    room.join("bob");
    room.use("bob", "idle");
    room.rename("ann", "Ann Lee");
    await known(follower, room);
    room.clock.advance(61_400);
    room.leave("ann", "timed_out");
    await known(follower, room);
    assert.deepEqual(follower.names.filter((name) => name !== "count"), [
      "snapshot",
      "joined",
      "changed",
      "changed",
      "left",
    ]);
    const { data } = follower.events.find(({ name }) => name === "left")!;
    const left = { id: "ann", app: "7", seconds: 61, reason: "timed_out" };
    assert.deepEqual(data, { at: new Date(61_400).toISOString(), ...left });
    streams.streams.stop();
    assert.equal(await ended, "ended");
  });

  it("answers unbuffered and uncompressed, and is kept by no cache", () => {
    const { headers, body } = start().streams.answer();
    assert.match(headers.get("content-type") ?? "", /^text\/event-stream\b/);
    assert.equal(headers.get("cache-control"), "no-store, no-transform");
    assert.equal(headers.get("x-accel-buffering"), "no");
    void body?.cancel();
  });

  it("has no field and no event that the scope of the token leaves out", async () => {
    const { room, streams } = start();
    room.join("ann", "secret name");
    const followers = { count: new EventFollower(), ids: new EventFollower() };
    for (const [scope, one] of Object.entries(followers)) {
      void one.read(streams.answer(one, scope as ApiScope));
    }
    await until(() => Object.values(followers).every(({ snapshots }) => snapshots === 1));
    room.join("bob", "secret name");
    room.rename("ann", "secret other name");
    room.use("ann", "active");
    room.leave("bob");
    room.clock.advance(1_000);
    await until(() => followers.ids.names.includes("left"));
    await until(() => followers.count.names.includes("count"));
    assert.deepEqual(new Set(followers.count.names), new Set(["snapshot", "count"]));
    const { ids } = followers;
    assert.deepEqual(
      ids.events.filter(({ name }) => name === "changed").map(({ data }) => data.id),
      [
        "ann",
      ],
    );
    for (const { events } of Object.values(followers)) {
      assert.doesNotMatch(JSON.stringify(events), /secret/);
    }
    assert.doesNotMatch(JSON.stringify(followers.count.events), /ann|bob/);
    streams.streams.stop();
  });

  it("goes on after the last event that came, without a snapshot and without a gap", async () => {
    const { room, streams } = start();
    room.join("ann");
    const follower = new EventFollower();
    void follower.read(streams.answer());
    await known(follower, room);
    await follower.cut();
    room.join("bob");
    room.leave("ann");
    room.clock.advance(119_000);
    void follower.read(streams.answer(follower));
    await known(follower, room);
    assert.equal(follower.snapshots, 1);
    assert.deepEqual(follower.names.filter((name) => name !== "count").slice(1), [
      "joined",
      "left",
    ]);
    streams.streams.stop();
  });

  const gaps: [what: string, happens: (room: Room, streams: Streams) => Streams][] = [
    ["another server, or a later start of it", (room) => new Streams(room)],
    ["too long an absence", (room, streams) => {
      room.clock.advance(120_000);
      return streams;
    }],
    ["more events than are kept", (room, streams) => {
      for (let number = 0; number < 1_001; number++) room.join(`user-${number}`);
      return streams;
    }],
    ["another app in the place of the channel's", (room, streams) => {
      room.removeApp();
      return streams;
    }],
  ];
  for (const [what, happens] of gaps) {
    it(`says with a snapshot that it cannot go on after ${what}`, async () => {
      const { room, streams } = start();
      room.join("ann");
      const follower = new EventFollower();
      void follower.read(streams.answer());
      await known(follower, room);
      await follower.cut();
      room.leave("ann");
      const next = happens(room, streams);
      room.join("eve");
      await until(() => next.events.last !== 1);
      void follower.read(next.answer(follower));
      await known(follower, room);
      assert.equal(follower.snapshots, 2);
      next.streams.stop();
    });
  }

  it("goes on with a snapshot when members are there of whom no event told", async () => {
    const { room, streams } = start();
    const follower = new EventFollower();
    void follower.read(streams.answer());
    await known(follower, room);
    room.fill(["ann", "bob"]);
    await known(follower, room);
    assert.equal(follower.snapshots, 2);
    streams.streams.stop();
  });

  it("tells nothing of an app that was removed while names of its users were looked up", async () => {
    const room = new Room(new ManualClock());
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    let asked = 0;
    const accountsOf = () => promise.then(() => []);
    const streams = new Streams(room, {
      accountsOf: (ids) => {
        asked += ids.length;
        return accountsOf();
      },
    });
    const follower = new EventFollower();
    void follower.read(streams.answer());
    room.join("ann");
    await until(() => asked === 1);
    room.removeApp();
    answer();
    room.join("bob");
    await until(() => follower.people.has("bob"));
    assert.deepEqual([...follower.people.keys()], ["bob"]);
    assert.ok(follower.events.every(({ data }) => data.id !== "ann"));
    streams.streams.stop();
  });

  it("sends many people in parts", async () => {
    const { room, streams } = start();
    room.fill(Array.from({ length: 2_001 }, (_, number) => `user-${number}`));
    const follower = new EventFollower();
    void follower.read(streams.answer());
    await known(follower, room);
    const parts = follower.events.filter(({ name }) => name === "snapshot");
    assert.deepEqual(parts.map(({ data }) => [data.part, data.parts, data.people.length]), [
      [1, 3, 1_000],
      [2, 3, 1_000],
      [3, 3, 1],
    ]);
    assert.deepEqual(parts.map(({ id }) => id !== undefined), [false, false, true]);
    streams.streams.stop();
  });

  it("sends the numbers at most once a second, and whether they can be believed", async () => {
    const { room, streams } = start();
    const follower = new EventFollower();
    void follower.read(streams.answer());
    const counts = () => follower.events.filter(({ name }) => name === "count");
    await until(() => follower.snapshots === 1);
    for (let number = 0; number < 50; number++) room.join(`user-${number}`);
    room.clock.advance(0);
    await until(() => counts().length === 1);
    room.leave("user-7");
    room.leave("user-8");
    room.clock.advance(999);
    assert.equal(counts().length, 1);
    room.clock.advance(1);
    await until(() => counts().length === 2);
    streams.servers.change({ staleSince: 0 });
    room.clock.advance(1_000);
    await until(() => counts().length === 3);
    assert.deepEqual(counts().map(({ data }) => [data.users, data.state]), [
      [50, "live"],
      [48, "live"],
      [48, "stale"],
    ]);
    streams.streams.stop();
  });

  it("has no name while the database does not answer, and has everything else", async () => {
    const { room, streams } = start();
    streams.isBroken = true;
    const follower = new EventFollower();
    void follower.read(streams.answer());
    room.join("ann");
    await until(() => follower.people.has("ann"));
    assert.equal(follower.people.get("ann")?.name, null);
    streams.streams.stop();
  });

  it("has a comment every 15 seconds, so that no proxy closes it", async () => {
    const { room, streams } = start();
    const follower = new EventFollower();
    void follower.read(streams.answer());
    await until(() => follower.snapshots === 1);
    room.clock.advance(15_000);
    await until(() => follower.comments === 1);
    room.clock.advance(15_000);
    await until(() => follower.comments === 2);
    streams.streams.stop();
  });
});

describe("streams of who is online", () => {
  const start = () => {
    const room = new Room(new ManualClock());
    return { room, streams: new Streams(room) };
  };

  it("cut off a reader that takes nothing, and keep nothing for it", async () => {
    const { room, streams } = start();
    const reader = streams.answer().body!.getReader();
    await reader.read();
    for (let number = 0; number < 5_000; number++) {
      room.join(`user-${number}`);
      if (number % 100 === 0) await Promise.resolve();
    }
    room.clock.advance(30_000);
    assert.equal(streams.streams.count, 1);
    room.clock.advance(15_000);
    await until(() => streams.streams.count === 0);
    await assert.rejects(reader.read(), /too slow/);
  });

  it("give a reader that falls behind everyone who is there, in the place of what it missed", async () => {
    const { room, streams } = start();
    const follower = new EventFollower();
    const { promise: pause, resolve: goOn } = Promise.withResolvers<void>();
    follower.pause = pause;
    void follower.read(streams.answer());
    await until(() => streams.streams.count === 1);
    for (let number = 0; number < 1_500; number++) room.join(`user-${number}`);
    await until(() => streams.events.last === 1_500);
    goOn();
    await known(follower, room);
    assert.deepEqual([follower.snapshots, follower.names.includes("joined")], [2, false]);
    streams.streams.stop();
  });

  it("end at once when their token is revoked, and no other", async () => {
    const { streams } = start();
    const [one, other] = [new EventFollower(), new EventFollower()];
    const ended = one.read(streams.answer(one, "ids", "1"));
    void other.read(streams.answer(other, "ids", "2"));
    await until(() => one.snapshots === 1 && other.snapshots === 1);
    streams.revoke("1");
    assert.equal(await ended, "ended");
    await until(() => streams.streams.count === 1);
    streams.streams.stop();
  });

  it("end within seconds when their token is revoked elsewhere, but not while none can be looked up", async () => {
    const { room, streams } = start();
    const follower = new EventFollower();
    const ended = follower.read(streams.answer());
    streams.isBroken = true;
    streams.revoked.add("1");
    room.clock.advance(5_000);
    await streams.streams.look();
    assert.equal(streams.streams.count, 1);
    streams.isBroken = false;
    await until(() => room.clock.timers > 0);
    room.clock.advance(5_000);
    assert.equal(await ended, "ended");
  });

  it("are at most ten of a token, and a hundred in all", async () => {
    const { streams } = start();
    for (let number = 0; number < 10; number++) streams.answer();
    assert.throws(() => streams.answer(), BusyError);
    for (let token = 2; token <= 10; token++) {
      for (let number = 0; number < 10; number++) streams.answer(undefined, "ids", `${token}`);
    }
    assert.throws(() => streams.answer(undefined, "ids", "11"), BusyError);
    streams.revoke("1");
    await until(() => streams.streams.count === 90);
    streams.answer(undefined, "ids", "11");
    streams.streams.stop();
  });

  it("are refused with 503 while the server stops", () => {
    const { streams } = start();
    streams.streams.stop();
    assert.throws(() => streams.answer(), { status: 503, code: "unavailable" });
  });

  it("leave nothing behind: two minutes after the last, nothing is noted any more", async () => {
    const { room, streams } = start();
    const follower = new EventFollower();
    void follower.read(streams.answer());
    await until(() => follower.snapshots === 1);
    await follower.cut();
    await until(() => streams.streams.count === 0);
    assert.equal(room.listeners, 1);
    room.clock.advance(120_000);
    assert.deepEqual([room.listeners, room.clock.timers], [0, 0]);
  });
});

const id = fc.constantFrom("ann", "bob", "cem", "dan");
const step = fc.oneof(
  fc.record({ do: fc.constant("join" as const), id }),
  fc.record({ do: fc.constant("leave" as const), id }),
  fc.record({ do: fc.constant("rename" as const), id }),
  fc.record({ do: fc.constant("idle" as const), id }),
  fc.record({ do: fc.constant("active" as const), id }),
  fc.record({ do: fc.constant("connect" as const), isSettled: fc.boolean() }),
  fc.record({ do: fc.constant("cut" as const) }),
  fc.record({ do: fc.constantFrom("restart", "remove", "fill", "wait") }),
  fc.record({ do: fc.constant("settle" as const) }),
);

it("a program that follows a stream through cuts and restarts has the list that the server has", async () => {
  let resumed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const room = new Room(new ManualClock());
      let streams = new Streams(room);
      const follower = new EventFollower();
      let isConnected = false;
      let connections = 0;
      let names = 0;
      const connect = () => {
        if (isConnected) return;
        isConnected = true;
        const place = ++connections;
        resumed += streams.events.eventOf(follower.lastEventId ?? null) === undefined ? 0 : 1;
        void follower.read(streams.answer(follower)).then(() => {
          if (place === connections) isConnected = false;
        });
      };
      const cut = async () => {
        if (isConnected) await follower.cut();
        isConnected = false;
      };
      for (const one of steps) {
        room.clock.advance(7);
        if ("id" in one) {
          if (one.do === "join") room.join(one.id, `Name ${names++}`);
          if (one.do === "leave") room.leave(one.id);
          if (one.do === "rename") room.rename(one.id, `Name ${names++}`);
          if (one.do === "idle" || one.do === "active") room.use(one.id, one.do);
        }
        if (one.do === "cut") await cut();
        if (one.do === "connect") connect();
        if (one.do === "connect" && one.isSettled) await settled();
        if (one.do === "remove") room.removeApp();
        if (one.do === "fill") room.fill(["ann", "eve"]);
        if (one.do === "wait") {
          await settled();
          room.clock.advance(40_000);
        }
        if (one.do === "restart") {
          await cut();
          streams.streams.stop();
          streams.events.stop();
          streams = new Streams(room);
        }
        if (one.do === "settle") await settled();
      }
      await until(() => {
        // A program connects again whenever its stream has ended.
        connect();
        return isDeepStrictEqual(sorted(follower.people), sorted(truth(room)));
      }).catch(() => assert.deepEqual(sorted(follower.people), sorted(truth(room))));
      await cut();
      streams.streams.stop();
    }),
    // Each time that it fails takes as long as the truth may take to arrive.
    { numRuns: 150, endOnFailure: true },
  );
  assert.ok(resumed > 0, "some streams went on without a snapshot");
});
