import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { SubscriptionCounts } from "@/realtime/channels/counts.ts";
import { ManualClock } from "../manual_clock.ts";
import { app, Harness, until } from "../harness.ts";
import { Pusher } from "../../fixtures/pusher_js.ts";
import { optionsFor } from "../pusher_clients.ts";

describe("A presence channel", () => {
  it("sends a new member the list with ids, hash and count, and the others member_added", async () => {
    await using harness = new Harness();
    const ann = await harness.member("ann");
    const bob = await harness.connect();
    const { data } = await bob.joined("bob");
    assert.deepEqual(data, {
      presence: {
        ids: ["ann", "bob"],
        hash: { ann: { id: "ann" }, bob: { id: "bob" } },
        count: 2,
      },
    });
    assert.deepEqual(await ann.settled(), [{
      event: "pusher_internal:member_added",
      channel: "presence-room",
      data: { user_id: "bob", user_info: { id: "bob" } },
    }]);
    assert.deepEqual(await bob.settled(), []);
  });

  it("announces only a user's first connection and its last leave, not a second tab", async () => {
    await using harness = new Harness();
    const ann = await harness.member("ann");
    const tabs = [await harness.member("bob"), await harness.member("bob")];
    assert.equal((await ann.settled()).length, 1);
    assert.deepEqual(harness.app.presence.of("presence-room"), {
      userIds: ["ann", "bob"],
      users: 2,
      connections: 3,
    });
    tabs[0].close();
    await until(() => harness.app.presence.of("presence-room").connections === 2);
    assert.deepEqual(await ann.settled(), []);
    tabs[1].close();
    const removed = await ann.next("pusher_internal:member_removed");
    assert.deepEqual(removed.data, { user_id: "bob" });
  });

  it("takes a numeric id for the same user as its text, and keeps the first user_info", async () => {
    await using harness = new Harness();
    const first = await harness.connect();
    first.joinAs(10, "presence-room", { name: "first" });
    const second = await harness.connect();
    second.joinAs("10", "presence-room", { name: "second" });
    const { data } = await second.next("pusher_internal:subscription_succeeded");
    assert.deepEqual(data.presence, { ids: ["10"], hash: { "10": { name: "first" } }, count: 1 });
  });

  for (const id of ["__proto__", "constructor", '"\\\n\u2028', "ключ", "\ud800"]) {
    it(`has the user id ${JSON.stringify(id)} as a member like any other`, async () => {
      await using harness = new Harness();
      const ann = await harness.member("ann");
      const odd = await harness.connect();
      const { presence } = (await odd.joined(id)).data;
      assert.deepEqual(presence.ids, ["ann", id]);
      assert.deepEqual(Object.keys(presence.hash), presence.ids);
      assert.equal(presence.count, 2);
      assert.equal((await ann.next("pusher_internal:member_added")).data.user_id, id);
      odd.close();
      assert.equal((await ann.next("pusher_internal:member_removed")).data.user_id, id);
    });
  }

  it("has a key in the hash for a member without user_info", async () => {
    await using harness = new Harness();
    const client = await harness.connect();
    const data = '{"user_id":"u"}';
    const auth = signChannel(app, client.socketId, "presence-room", data);
    client.subscribe("presence-room", auth, data);
    const list = await client.next("pusher_internal:subscription_succeeded");
    assert.deepEqual(list.data.presence, { ids: ["u"], hash: { u: {} }, count: 1 });
  });

  it("refuses new members when it is full, and lets its members in again", async () => {
    await using harness = new Harness({ rules: { presenceMaxMembers: 2 } });
    await harness.member("ann");
    const bob = await harness.member("bob");
    const eve = await harness.connect();
    eve.joinAs("eve");
    assert.equal((await eve.next("pusher:subscription_error")).data.type, "LimitReached");
    const tab = await harness.connect();
    assert.equal((await tab.joined("bob")).data.presence.count, 2);
    bob.close();
    tab.close();
    await until(() => harness.app.presence.of("presence-room").users === 1);
    assert.equal((await eve.joined("eve")).data.presence.count, 2);
  });

  it("does not announce a return within the leave grace, and removes the user after it", async () => {
    const clock = new ManualClock();
    await using harness = new Harness({ presenceGraceMs: 1_500, clock });
    const ann = await harness.member("ann");
    const bob = await harness.member("bob");
    bob.close();
    await until(() => harness.realtime.stats().leaving === 1);
    clock.advance(1_499);
    assert.equal(harness.app.presence.of("presence-room").users, 2);
    const back = await harness.member("bob");
    clock.advance(10_000);
    assert.deepEqual((await ann.settled()).map(({ event }) => event), [
      "pusher_internal:member_added",
    ]);
    back.close();
    await until(() => harness.realtime.stats().leaving === 1);
    clock.advance(1_500);
    assert.deepEqual((await ann.settled()).map(({ data }) => data), [{ user_id: "bob" }]);
  });

  it("removes a user without the leave grace when it unsubscribes", async () => {
    await using harness = new Harness({ presenceGraceMs: 60_000 });
    const ann = await harness.member("ann");
    const bob = await harness.member("bob");
    bob.send("pusher:unsubscribe", { channel: "presence-room" });
    await ann.next("pusher_internal:member_removed");
    assert.deepEqual(harness.app.presence.of("presence-room").userIds, ["ann"]);
  });

  it("loses a user without the leave grace when closeUser closes its connections", async () => {
    await using harness = new Harness({ presenceGraceMs: 60_000 });
    const ann = await harness.member("ann");
    const tabs = [
      await harness.member("bob"),
      await harness.member("bob"),
      await harness.connect(),
    ];
    assert.ok(harness.app.connections.claim(tabs[2].socketId, { userId: "bob" }));
    assert.equal(harness.app.connections.closeUser("bob", { reason: "Disabled" }), 3);
    for (const tab of tabs) assert.equal((await tab.closed).code, 4009);
    await ann.next("pusher_internal:member_removed");
    assert.equal(harness.app.connections.closeUser("bob"), 0);
  });

  it("cannot be joined with a signature made before closeUser", async () => {
    await using harness = new Harness();
    const late = await harness.connect();
    harness.app.connections.claim(late.socketId, { userId: "bob" });
    harness.app.connections.closeUser("bob");
    assert.equal((await late.closed).code, 4009);
    assert.deepEqual(harness.app.presence.of("presence-room").userIds, []);
  });

  it("is joined through sockets that one user owns: another cannot claim them", async () => {
    await using harness = new Harness();
    const socket = await harness.connect();
    const { app } = harness;
    assert.ok(app.connections.claim(socket.socketId, { userId: "bob", sessionId: "one" }));
    assert.equal(
      app.connections.claim(socket.socketId, { userId: "ann", sessionId: "two" }),
      false,
    );
    assert.ok(app.connections.claim("1.1", { userId: "ann" }), "a connection of another server");
  });

  it("keeps a user's other sessions when closeSession closes one", async () => {
    await using harness = new Harness();
    const [one, two] = [await harness.member("bob"), await harness.member("bob")];
    harness.app.connections.claim(one.socketId, { userId: "bob", sessionId: "one" });
    harness.app.connections.claim(two.socketId, { userId: "bob", sessionId: "two" });
    assert.equal(harness.app.connections.closeSession("one", { code: 4200 }), 1);
    assert.equal((await one.closed).code, 4200);
    assert.deepEqual(harness.app.presence.of("presence-room"), {
      userIds: ["bob"],
      users: 1,
      connections: 1,
    });
  });

  it("is not affected by a presence listener that throws, nor by a reason over 123 bytes", async () => {
    await using harness = new Harness();
    harness.app.listeners.presence.add("presence-room", () => {
      throw new Error("listener");
    });
    const ann = await harness.member("ann");
    const bob = await harness.member("bob");
    harness.app.connections.closeUser("bob", { reason: "x".repeat(1_000) });
    assert.equal((await bob.closed).code, 4009);
    await ann.next("pusher_internal:member_removed");
    assert.ok(harness.logged.length > 0);
  });

  it("calls a presence listener after every change, until it unsubscribes", async () => {
    await using harness = new Harness();
    const heard: unknown[] = [];
    const stop = harness.app.listeners.presence.add(
      "presence-room",
      (counts) => heard.push(counts),
    );
    const ann = await harness.member("ann");
    const tab = await harness.member("ann");
    assert.deepEqual(heard.at(-1), { users: 1, connections: 2, userId: "ann" });
    tab.close();
    await until(() => harness.app.presence.of("presence-room").connections === 1);
    assert.deepEqual(heard.at(-1), { users: 1, connections: 1, userId: "ann" });
    stop();
    const before = heard.length;
    ann.close();
    await until(() => harness.app.presence.of("presence-room").users === 0);
    assert.equal(heard.length, before);
    assert.equal(harness.realtime.stats().listenedTo, 0);
  });
});

const rules = { subscriptionCount: true };

describe("subscription_count", () => {
  it("is sent to subscribers at every change", async () => {
    await using harness = new Harness({ rules });
    const [one, other] = [await harness.connect(), await harness.connect()];
    const count = (subscription_count: number) => ({
      event: "pusher_internal:subscription_count",
      channel: "news",
      data: { subscription_count },
    });
    one.subscribe("news");
    assert.deepEqual((await one.settled())[1], count(1));
    other.subscribe("news");
    assert.deepEqual((await other.settled())[1], count(2));
    assert.deepEqual(await one.settled(), [count(2)]);
    other.send("pusher:unsubscribe", { channel: "news" });
    assert.deepEqual(await other.settled(), []);
    assert.deepEqual(await one.settled(), [count(1)]);
  });

  it("is not sent on presence channels, nor by apps that do not enable it", async () => {
    await using harness = new Harness({ rules });
    assert.deepEqual(await (await harness.member("ann")).settled(), []);
    harness.realtime.replaceApps([{ ...app, subscriptionCount: false }]);
    const client = await harness.connect();
    client.subscribe("news");
    assert.equal((await client.settled()).length, 1);
  });

  it("is sent once in five seconds above 100 subscribers", () => {
    const clock = new ManualClock();
    const sent: number[] = [];
    const reported: unknown[] = [];
    const counts = new SubscriptionCounts(
      clock,
      () => true,
      (event) => void reported.push(event),
    );
    const channel = {
      name: "news",
      subscribers: { size: 99 },
      subscribersEverywhere: 99,
      reportsSubscribers: true,
      send: ({ text }: { text: string }) => {
        sent.push(JSON.parse(JSON.parse(text).data).subscription_count);
      },
    };
    const become = (size: number) => {
      channel.subscribers.size = channel.subscribersEverywhere = size;
      counts.changed(channel);
    };
    for (const size of [100, 101, 102, 103]) become(size);
    assert.deepEqual(sent, [100, 101]);
    clock.advance(4_999);
    assert.deepEqual(sent, [100, 101]);
    clock.advance(1);
    assert.deepEqual(sent, [100, 101, 103]);
    clock.advance(5_000);
    assert.deepEqual([sent.length, counts.size, clock.timers], [3, 0, 0]);
    become(104);
    become(100);
    assert.deepEqual(sent.slice(3), [104, 100]);
    become(0);
    assert.equal(sent.length, 5, "no subscriber is left to receive it");
    assert.deepEqual([counts.size, clock.timers], [0, 0]);
    const event = { name: "subscription_count", channel: "news" };
    assert.deepEqual(reported, sent.map((count) => ({ ...event, count })));
    channel.reportsSubscribers = false;
    become(1);
    assert.deepEqual([sent.length, reported.length], [6, 5], "another server reports it");
  });

  it("is not sent from before a subscriber came, who would be told of a channel without any", () => {
    const sent: string[] = [];
    const counts = new SubscriptionCounts(new ManualClock(), () => true, () => {});
    const channel = {
      name: "news",
      subscribers: { size: 1 },
      subscribersEverywhere: 0,
      reportsSubscribers: true,
      send: ({ text }: { text: string }) => void sent.push(JSON.parse(text).data),
    };
    counts.changed(channel);
    assert.deepEqual(sent, []);
    channel.subscribersEverywhere = 1;
    counts.changed(channel);
    assert.deepEqual(sent, ['{"subscription_count":1}']);
  });

  it("is known to pusher-js", async () => {
    await using harness = new Harness({ rules });
    const pusher = new Pusher(app.key, optionsFor(harness, "ann"));
    const channel = pusher.subscribe("private-a");
    const seen: unknown[] = [];
    channel.bind("pusher:subscription_count", (data: unknown) => seen.push(data));
    await until(() => seen.length === 1);
    assert.deepEqual(seen, [{ subscription_count: 1 }]);
    assert.equal(channel.subscriptionCount, 1);
    pusher.disconnect();
    await until(() => harness.realtime.stats().connections === 0);
  });
});
