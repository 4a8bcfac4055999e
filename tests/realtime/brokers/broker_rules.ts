import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Broker } from "@/realtime/brokers/broker.ts";
import { signedInChannel } from "@/realtime/protocol/channel_names.ts";
import { frameOf } from "@/realtime/protocol/outgoing.ts";
import { channel, listenerOf, member } from "../doubles.ts";

/** A broker under test, alone on its data. */
export interface TestedBroker extends AsyncDisposable {
  readonly broker: Broker;
  /** Joins, leaves, and channels that became occupied or vacated, since the last call; in order. */
  takeServerEvents(): string[];
  /** Lets the broker answer what was asked of it. */
  settle(): Promise<void>;
}

const anyRoom = { isGuest: false, maxMembers: 10 };

/** A listener that keeps what it receives. Versions are numbers in the order of their size. */
function recorder() {
  const received: string[] = [];
  const versions: number[] = [];
  const named = (version: number) => {
    if (!versions.includes(version)) versions.push(version);
    return versions.toSorted((a, b) => a - b).indexOf(version);
  };
  const listener = listenerOf({
    onOpened: () => void received.push("opened"),
    onMembership(event) {
      const userId = event.type === "removed" ? event.userId : event.member.id;
      received.push(`${event.type} ${userId} ${named(event.previous)} ${named(event.version)}`);
    },
    onSnapshot: ({ version, members }) =>
      void received.push(`snapshot ${named(version)} ${members.map(({ id }) => id)}`.trimEnd()),
    onClaimed: (userId) => void received.push(`held ${userId}`),
    onFull: (userId) => void received.push(`full ${userId}`),
    onPublished: ({ text }, except) =>
      void received.push(`published ${text}${except ? ` except ${except}` : ""}`),
    onSubscribers: (count, isOwn) => void received.push(`subscribers ${count} ${isOwn}`),
  });
  return { listener, take: () => received.splice(0) };
}

/** Tests what every broker promises its hub. */
export function describeBroker(name: string, start: () => Promise<TestedBroker>): void {
  describe(name, () => {
    it("answers an opened channel with a snapshot, before the channel is open", async () => {
      await using tested = await start();
      const { listener, take } = recorder();
      tested.broker.open(channel, listener);
      await tested.settle();
      assert.deepEqual(take(), ["snapshot 0", "opened"]);
    });

    it("sends an event for a user's first join and last leave only, in versions without a gap", async () => {
      await using tested = await start();
      const { broker, settle } = tested;
      const { listener, take } = recorder();
      broker.open(channel, listener);
      await settle();
      take();
      for (let tabs = 0; tabs < 2; tabs++) {
        broker.join(channel, member("a"), anyRoom);
        await settle();
      }
      assert.deepEqual(take().toSorted(), ["added a 0 1", "held a", "held a"]);
      for (let calls = 0; calls < 2; calls++) {
        broker.leave(channel, "a", "closed");
        await settle();
      }
      broker.snapshot(channel);
      await settle();
      assert.deepEqual(take(), ["removed a 1 2", "snapshot 2"]);
      broker.close(channel);
      await settle();
      assert.deepEqual(tested.takeServerEvents(), [
        "channel_occupied",
        "member_added a",
        "member_removed a",
        "channel_vacated",
      ]);
      const { brokerChannels, brokerMembers } = broker.stats();
      assert.deepEqual([brokerChannels, brokerMembers], [0, 0]);
    });

    it("sends an event for an update of a member, in the versions of joins and leaves", async () => {
      await using tested = await start();
      const { broker, settle } = tested;
      const { listener, take } = recorder();
      broker.open(channel, listener);
      broker.join(channel, member("a"), anyRoom);
      await settle();
      tested.takeServerEvents();
      take();
      const update = async (userId: string, info: string, isReported = true) => {
        const isMember = await broker.update(channel, userId, { info }, isReported);
        await settle();
        return isMember;
      };
      assert.equal(await update("a", '{"n":1}'), true);
      assert.equal(await update("a", '{"n":1}'), true, "nothing changes, and the user is a member");
      assert.equal(await update("a", '{"n":2}', false), true);
      assert.equal(await update("b", '{"n":1}'), false);
      broker.join(channel, member("b"), anyRoom);
      await settle();
      const of = take().filter((text) => !text.startsWith("held"));
      assert.deepEqual(of, ["updated a 1 2", "updated a 2 3", "added b 3 4"]);
      const [{ info, isUpdated }] = await broker.members(channel, ["a"]);
      assert.deepEqual([info, isUpdated], ['{"n":2}', true]);
      assert.deepEqual(tested.takeServerEvents(), ["member_updated a", "member_added b"]);
    });

    it("reports no update of what only admins see", async () => {
      await using tested = await start();
      const { broker, settle } = tested;
      broker.open(channel, recorder().listener);
      broker.join(channel, { ...member("a"), options: { name: "Ann", quiet: true } }, anyRoom);
      await settle();
      tested.takeServerEvents();
      assert.equal(await broker.update(channel, "a", { options: { detail: "Sales" } }, true), true);
      const [{ options }] = await broker.members(channel, ["a"]);
      assert.deepEqual(options, { detail: "Sales", quiet: true });
      assert.equal(await broker.update(channel, "a", { options: null }, true), true);
      assert.deepEqual((await broker.members(channel, ["a"]))[0].options, { quiet: true });
      assert.deepEqual(tested.takeServerEvents(), []);
    });

    it("knows nothing more of an update once the user has left", async () => {
      await using tested = await start();
      const { broker, settle } = tested;
      broker.open(channel, recorder().listener);
      broker.join(channel, member("a"), anyRoom);
      await settle();
      await broker.update(channel, "a", { info: "1" }, false);
      broker.leave(channel, "a", "closed");
      await settle();
      broker.join(channel, member("a"), anyRoom);
      await settle();
      assert.deepEqual(await broker.members(channel), [member("a")]);
    });

    it("holds a user who leaves and joins in one turn", async () => {
      await using tested = await start();
      const { broker, settle } = tested;
      const { listener, take } = recorder();
      broker.open(channel, listener);
      broker.join(channel, member("a"), anyRoom);
      await settle();
      take();
      broker.leave(channel, "a", "closed");
      broker.join(channel, member("a"), anyRoom);
      await settle();
      assert.equal(take().filter((text) => text === "held a").length, 1);
      assert.deepEqual((await broker.members(channel)).map(({ id }) => id), ["a"]);
    });

    it("knows the occupied channels, and their members and sizes", async () => {
      await using tested = await start();
      const { broker, settle } = tested;
      for (const name of [channel, "news"]) broker.open(name, recorder().listener);
      broker.join(channel, member("a"), anyRoom);
      broker.subscribers(channel, 2);
      broker.subscribers("news", 3);
      await settle();
      assert.deepEqual((await broker.channels()).toSorted(), ["news", channel]);
      assert.deepEqual((await broker.members(channel)).map(({ id }) => id), ["a"]);
      assert.deepEqual(await broker.sizes([channel, "news", "other"]), [
        { members: 1, subscribers: 2 },
        { members: 0, subscribers: 3 },
        { members: 0, subscribers: 0 },
      ]);
    });

    it("reports a channel as vacated only when its last member has left", async () => {
      await using tested = await start();
      const { broker, settle } = tested;
      broker.open(channel, recorder().listener);
      for (const id of ["a", "b"]) {
        broker.join(channel, member(id), anyRoom);
        await settle();
      }
      tested.takeServerEvents();
      for (const id of ["a", "b"]) {
        broker.leave(channel, id, "closed");
        await settle();
      }
      assert.deepEqual(tested.takeServerEvents(), [
        "member_removed a",
        "member_removed b",
        "channel_vacated",
      ]);
    });

    it("reports nothing of the channel of signed-in users, and lists it nowhere", async () => {
      await using tested = await start();
      const { broker, settle } = tested;
      broker.open(signedInChannel, recorder().listener);
      broker.join(signedInChannel, member("a"), { isGuest: false, maxMembers: 0 });
      await settle();
      assert.deepEqual(await broker.channels(), []);
      broker.leave(signedInChannel, "a", "closed");
      broker.close(signedInChannel);
      await settle();
      assert.deepEqual(tested.takeServerEvents(), []);
    });

    it("sends the number of subscribers when it changed, and reports it here where no other does", async () => {
      await using tested = await start();
      const { broker, settle } = tested;
      const { listener, take } = recorder();
      broker.open("news", listener);
      await settle();
      take();
      broker.subscribers("news", 2);
      await settle();
      assert.deepEqual(take(), ["subscribers 2 true"]);
    });

    it("keeps nothing of an app that is served no more", async () => {
      await using tested = await start();
      const { broker, settle } = tested;
      for (const name of [channel, "public"]) broker.open(name, recorder().listener);
      broker.join(channel, member("a"), anyRoom);
      broker.subscribers("public", 1);
      await settle();
      assert.equal((await broker.channels()).length, 2);
      broker.stop(true);
      await settle();
      assert.deepEqual(await broker.channels(), []);
      assert.deepEqual(await broker.members(channel), []);
      assert.deepEqual(broker.stats(), {
        brokerChannels: 0,
        brokerMembers: 0,
        cachedEvents: 0,
        cachedBytes: 0,
      });
    });

    it("sends a frame to a channel that is open, with its exception", async () => {
      await using tested = await start();
      const { broker, settle } = tested;
      const { listener, take } = recorder();
      broker.open("news", listener);
      await settle();
      take();
      for (const except of [undefined, "1.2"]) {
        assert.equal(await broker.publish("news", frameOf('{"event":"e"}'), { except }), true);
      }
      assert.equal(await broker.publish("other", frameOf('{"event":"e"}')), true);
      await settle();
      assert.deepEqual(take(), ['published {"event":"e"}', 'published {"event":"e"} except 1.2']);
      broker.close("news");
      await broker.publish("news", frameOf('{"event":"late"}'));
      await settle();
      assert.deepEqual(take(), []);
    });

    it("keeps the event of a channel that is not open, for the next subscriber and the API", async () => {
      await using tested = await start();
      const { broker, settle } = tested;
      await broker.publish("cache-news", frameOf('{"event":"e","data":"1"}'), { isKept: true });
      assert.deepEqual(await broker.cached("cache-news"), { data: "1", ttl: 1_800 });
      await broker.publish("news", frameOf('{"event":"e","data":"2"}'));
      assert.equal(await broker.cached("news"), undefined);
      const { listener } = recorder();
      const kept: (string | undefined)[] = [];
      listener.onOpened = () =>
        kept.push(broker.kept("cache-news")?.text, broker.kept("news")?.text);
      broker.open("cache-news", listener);
      await settle();
      assert.deepEqual(kept, ['{"event":"e","data":"1"}', undefined]);
      broker.stop(false);
      assert.equal(broker.stats().cachedEvents, 0);
    });

    it("keeps events up to its number of bytes, and drops the ones that were published first", async () => {
      await using tested = await start();
      const { broker } = tested;
      const names = ["cache-a", "cache-b", "cache-c"];
      const event = JSON.stringify({ event: "e", data: "x".repeat(400) });
      for (const name of names) await broker.publish(name, frameOf(event), { isKept: true });
      const kept = await Promise.all(names.map((name) => broker.cached(name)));
      assert.deepEqual(kept.map((one) => one !== undefined), [false, true, true]);
    });
  });
}
