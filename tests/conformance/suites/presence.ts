import assert from "node:assert/strict";
import Echo from "laravel-echo";
import type { PresenceChannel } from "pusher-js";
import { until } from "../../realtime/harness.ts";
import { sources, Suite } from "../suite.ts";
import { next } from "../pusher_client.ts";
import { AppHarness } from "../harness.ts";

export const presence = new Suite("presence", "Presence channels");

presence.rule(
  "presence.list",
  "The answer to a subscription has every member: `presence` with `ids`, `hash` and `count`, " +
    "which agree.",
  sources.protocol,
  async (harness) => {
    for (const userId of ["bob", "cleo"]) {
      await (await harness.connected({ userId, userInfo: { id: userId, age: 7 } })).joined(
        "presence-a",
      );
    }
    const client = await harness.connected();
    await client.joined("presence-a");
    const [{ data }] = client.received("pusher_internal:subscription_succeeded");
    const hash = { bob: { id: "bob", age: 7 }, cleo: { id: "cleo", age: 7 }, ann: { id: "ann" } };
    assert.deepEqual(JSON.parse(data), {
      presence: { ids: ["bob", "cleo", "ann"], hash, count: 3 },
    });
  },
);

presence.rule(
  "presence.me",
  "A client finds itself in the list, and its count equals the server's.",
  sources.presenceChannels,
  async (harness) => {
    const client = await harness.connected();
    const { members } = await client.joined("presence-a");
    assert.deepEqual([members.me.id, members.count], ["ann", 1]);
    const list = await harness.library().get({ path: "/channels/presence-a/users" });
    assert.deepEqual(await list.json(), { users: [{ id: "ann" }] });
  },
);

presence.rule(
  "presence.added",
  "A user's first connection is announced to the other members: `user_id` and `user_info`.",
  sources.presenceChannels,
  async (harness) => {
    const client = await harness.connected();
    const room = await client.joined("presence-a");
    const added = next(room, "pusher:member_added");
    await (await harness.connected({ userId: "bob" })).joined("presence-a");
    assert.deepEqual(await added, { id: "bob", info: { id: "bob" } });
    const [frame] = client.received("pusher_internal:member_added");
    assert.equal(frame.channel, "presence-a");
    assert.deepEqual(JSON.parse(frame.data), { user_id: "bob", user_info: { id: "bob" } });
    assert.equal(room.members.count, 2);
  },
);

presence.rule(
  "presence.removed",
  "The end of a user's last connection is announced to the other members: `user_id`.",
  sources.presenceChannels,
  async (harness) => {
    const client = await harness.connected();
    const room = await client.joined("presence-a");
    const bob = await harness.connected({ userId: "bob" });
    await bob.joined("presence-a");
    const removed = next<{ id: string }>(room, "pusher:member_removed");
    bob.disconnect();
    assert.equal((await removed).id, "bob");
    const [{ data }] = client.received("pusher_internal:member_removed");
    assert.deepEqual(JSON.parse(data), { user_id: "bob" });
    assert.equal(room.members.count, 1);
  },
);

presence.rule(
  "presence.once",
  "Further connections of a user are not announced, nor are their ends while one is left.",
  sources.presenceChannels,
  async (harness) => {
    const watcher = await harness.connected();
    const seen = changesOf(await watcher.joined("presence-a"));
    const tabs = [];
    for (let tab = 0; tab < 3; tab++) {
      tabs.push(await harness.connected({ userId: "bob" }));
      await tabs[tab].joined("presence-a");
    }
    for (const tab of tabs.slice(0, 2)) {
      tab.unsubscribe("presence-a");
      await tab.settled();
    }
    await watcher.settled();
    assert.deepEqual(seen, ["added bob"]);
    tabs[2].unsubscribe("presence-a");
    await tabs[2].settled();
    await watcher.settled();
    assert.deepEqual(seen, ["added bob", "removed bob"]);
  },
);

presence.rule(
  "presence.not-to-oneself",
  "A new member is in its own list and is not sent its own joining.",
  sources.presenceChannels,
  async (harness) => {
    const client = await harness.connected();
    const seen = changesOf(await client.joined("presence-a"));
    await (await harness.connected({ userId: "bob" })).joined("presence-a");
    await client.settled();
    assert.deepEqual(seen, ["added bob"]);
  },
);

presence.rule(
  "presence.echo",
  "Laravel Echo's `here`, `joining` and `leaving` are called once for each change.",
  sources.echo,
  async (harness) => {
    const client = harness.client();
    const echo = new Echo({ broadcaster: "pusher", key: harness.app.key, client });
    const seen: string[] = [];
    echo.join("a")
      .here((members: { id: string }[]) => seen.push(`here ${members.map(({ id }) => id)}`))
      .joining(({ id }: { id: string }) => seen.push(`joining ${id}`))
      .leaving(({ id }: { id: string }) => seen.push(`leaving ${id}`));
    await until(() => seen.length === 1);
    const tabs = [
      await harness.connected({ userId: "bob" }),
      await harness.connected({ userId: "bob" }),
    ];
    for (const tab of tabs) await tab.joined("presence-a");
    for (const tab of tabs) tab.disconnect();
    await until(() => seen.length === 3);
    await client.settled();
    assert.deepEqual(seen, ["here ann", "joining bob", "leaving bob"]);
  },
);

presence.rule(
  "presence.number",
  "A `user_id` that is a number is the same user as its digits in a string, and is a string from " +
    "then on.",
  sources.signatures,
  async (harness) => {
    const watcher = await harness.connected();
    const seen = changesOf(await watcher.joined("presence-a"));
    const bare = await harness.bare();
    // What the types refuse, a server can sign.
    const member = { user_id: 10 as unknown as string };
    const { auth, channel_data } = harness.library()
      .authorizeChannel(bare.socketId, "presence-a", member);
    assert.equal(channel_data, '{"user_id":10}');
    bare.subscribe("presence-a", auth, channel_data);
    const { data } = await bare.next("pusher_internal:subscription_succeeded");
    assert.deepEqual(data.presence.ids, ["ann", "10"]);
    await (await harness.connected({ userId: "10" })).joined("presence-a");
    await watcher.settled();
    assert.deepEqual(seen, ["added 10"]);
  },
);

presence.rule(
  "presence.first-info",
  "The `user_info` of a user's first connection stays until the last one leaves.",
  sources.presenceChannels,
  async (harness) => {
    for (const name of ["first", "second"]) {
      const client = await harness.connected({ userInfo: { name } });
      const { members } = await client.joined("presence-a");
      assert.deepEqual(members.me.info, { name: "first" });
    }
  },
);

presence.rule(
  "presence.no-info",
  "`user_info` may be absent; the member's value in `hash` is then empty.",
  sources.presenceChannels,
  async (harness) => {
    const bare = await harness.bare();
    const { auth, channel_data } = harness.library()
      .authorizeChannel(bare.socketId, "presence-a", { user_id: "ann" });
    bare.subscribe("presence-a", auth, channel_data);
    const { data } = await bare.next("pusher_internal:subscription_succeeded");
    assert.deepEqual(data.presence, { ids: ["ann"], hash: { ann: {} }, count: 1 });
  },
);

presence.rule(
  "presence.signed-in",
  "A signed-in connection may join without `channel_data`: id and `user_info` are its user's.",
  sources.userAuthentication,
  async (harness) => {
    const options = { sendsChannelData: false, userInfo: { name: "Ann" } };
    const client = await harness.connected(options);
    client.signin();
    const { members } = await client.joined("presence-a");
    assert.deepEqual([members.me.id, members.me.info], ["ann", { name: "Ann" }]);
    const stranger = await harness.bare();
    const { auth } = harness.library().authorizeChannel(stranger.socketId, "presence-a");
    stranger.subscribe("presence-a", auth);
    await stranger.next("pusher:subscription_error");
  },
);

presence.rule(
  "presence.full",
  "A channel has as many members as the app allows (100,000; Pusher has 100). A member may " +
    "subscribe again, however full it is.",
  sources.presenceChannels,
  async (harness) => {
    await harness.set({ presenceMaxMembers: 1 });
    await (await harness.connected()).joined("presence-a");
    const other = await harness.connected({ userId: "bob" });
    await assert.rejects(other.joined("presence-a"), /"type":"LimitReached".*full: 1 members/);
    await (await harness.connected()).joined("presence-a");
  },
);

presence.rule(
  "presence.limits",
  "A user id has up to 128 characters, `user_info` up to the bytes that the app allows (2 KB; " +
    "Pusher has 1 KB). Larger ones are refused.",
  sources.presenceChannels,
  async (harness) => {
    await harness.set({ presenceMaxInfoBytes: 1_024 });
    const joins = async (userId: string, size: number) => {
      const userInfo = { x: "x".repeat(size - '{"x":""}'.length) };
      await (await harness.connected({ userId, userInfo })).joined("presence-a");
    };
    await joins("x".repeat(128), 1_024);
    await assert.rejects(joins("x".repeat(129), 10), /AuthError/);
    await assert.rejects(joins("bob", 1_025), /limit of 1024 bytes/);
  },
);

presence.rule(
  "presence.grace",
  "A user whose last connection closed stays a member for the grace period (1.5 s), so that a " +
    "page change is no leave and join. An unsubscription takes effect at once, unless another " +
    "connection of the user closed within that time.",
  sources.presenceChannels,
  async () => {
    await using harness = await AppHarness.alone({
      presenceGraceMs: 1_500,
      clockIsStopped: true,
    });
    const watcher = await harness.connected();
    const seen = changesOf(await watcher.joined("presence-a"));
    const bob = await harness.connected({ userId: "bob" });
    await bob.joined("presence-a");
    const { socket } = bob;
    bob.disconnect();
    await socket.closed;
    const again = await harness.connected({ userId: "bob" });
    await again.joined("presence-a");
    await harness.server.advance(2_000);
    await watcher.settled();
    assert.deepEqual(seen, ["added bob"]);
    const navigating = await harness.connected({ userId: "bob" });
    await navigating.joined("presence-a");
    const { socket: left } = navigating;
    navigating.disconnect();
    await left.closed;
    again.unsubscribe("presence-a");
    await again.settled();
    await watcher.settled();
    assert.deepEqual(seen, ["added bob"]);
    await again.joined("presence-a");
    await harness.server.advance(2_000);
    again.unsubscribe("presence-a");
    await again.settled();
    await watcher.settled();
    assert.deepEqual(seen, ["added bob", "removed bob"]);
  },
);

/** What a page hears of others in a channel from now on. */
function changesOf(room: PresenceChannel): string[] {
  const seen: string[] = [];
  for (const change of ["added", "removed"]) {
    room.bind(`pusher:member_${change}`, ({ id }: { id: string }) => seen.push(`${change} ${id}`));
  }
  return seen;
}
