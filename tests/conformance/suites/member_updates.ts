import assert from "node:assert/strict";
import Echo from "laravel-echo";
import { until } from "../../realtime/harness.ts";
import { answerOf, assertRefused, call, post } from "../api_call.ts";
import { type AppHarness, HookReceiver } from "../harness.ts";
import { heardOn, next, type PusherClient } from "../pusher_client.ts";
import { sources, Suite } from "../suite.ts";

/** Rules that no other server has. */
export const memberUpdates = new Suite("update", "Updates of members");

const updated = "rollcall:member_updated";
const users = "/channels/presence-a/users";
const changed = { id: "ann", status: "away" };

memberUpdates.rule(
  "update.event",
  "`POST /apps/ID/channels/NAME/users/USER` with `user_info` changes a member of a presence channel. The " +
    "answer is `{}`. Members, the user included, are sent `rollcall:member_updated` with `user_id` and " +
    "`user_info`; no one leaves or joins.",
  sources.own,
  async (harness) => {
    const [ann, bob] = await membersOf(harness, "ann", "bob");
    const heard = [ann, bob].map((client) => heardOn(client.channel("presence-a")));
    // The library writes any value as JSON; its types say that it is a text.
    const body = { user_info: changed } as unknown as string;
    const posted = harness.library().post({ path: `${users}/ann`, body });
    assert.deepEqual(await answerOf(posted), {});
    for (const client of [ann, bob]) await client.settled();
    const data = { user_id: "ann", user_info: changed };
    for (const events of heard) assert.deepEqual(events, [{ event: updated, data }]);
    const [frame] = bob.received(updated);
    assert.deepEqual([frame.channel, JSON.parse(frame.data)], ["presence-a", data]);
    assert.deepEqual(movesOf(bob), 0);
  },
);

memberUpdates.rule(
  "update.list",
  "Who joins later finds the new `user_info` in the list.",
  sources.own,
  async (harness) => {
    const [ann] = await membersOf(harness, "ann", "bob");
    await update(harness, "ann", { user_info: changed });
    await ann.settled();
    const cem = await harness.connected({ userId: "cem" });
    const { members } = await cem.joined("presence-a");
    assert.deepEqual(members.get("ann"), { id: "ann", info: changed });
    const answer = await call(harness, { path: users });
    const ids = (answer.users as { id: string }[]).map(({ id }) => id);
    assert.deepEqual(ids.toSorted(), ["ann", "bob", "cem"]);
  },
);

memberUpdates.rule(
  "update.order",
  "Updates reach everyone in one order, and in the order of joins and leaves.",
  sources.own,
  async (harness) => {
    const clients = await membersOf(harness, "ann", "bob", "cem");
    const heard = clients.map((client) => heardOn(client.channel("presence-a")));
    await Promise.all(
      [1, 2, 3, 4, 5].map((n) => update(harness, "ann", { user_info: { n } })),
    );
    await update(harness, "bob", { user_info: { n: 6 } });
    for (const client of clients) await client.settled();
    for (const events of heard) assert.deepEqual(events, heard[0]);
    assert.equal(heard[0].length, 6);
    assert.deepEqual(heard[0].at(-1)?.data, { user_id: "bob", user_info: { n: 6 } });
  },
);

memberUpdates.rule(
  "update.present",
  "An update is for the time that the user is a member: further connections of the user change nothing of " +
    "it, and after a leave the user joins as it is signed.",
  sources.own,
  async (harness) => {
    const [ann, bob] = await membersOf(harness, "ann", "bob");
    await update(harness, "ann", { user_info: changed });
    const tab = await harness.connected({ userId: "ann", userInfo: { tab: 2 } });
    assert.deepEqual((await tab.joined("presence-a")).members.me, { id: "ann", info: changed });
    const room = bob.channel("presence-a");
    const removed = next(room, "pusher:member_removed");
    for (const client of [ann, tab]) client.unsubscribe("presence-a");
    await removed;
    const added = next(room, "pusher:member_added");
    await ann.joined("presence-a");
    assert.deepEqual(await added, { id: "ann", info: { id: "ann" } });
    assert.equal(bob.received(updated).length, 1);
  },
);

memberUpdates.rule(
  "update.quiet",
  "Quiet members are sent nothing of it. A quiet member is changed as any other.",
  sources.own,
  async (harness) => {
    const [bob] = await membersOf(harness, "bob");
    const quiet = await harness.connected({ userId: "ann", rollcall: { quiet: true } });
    await quiet.joined("presence-a");
    await bob.settled();
    await quiet.settled();
    const counts = quiet.received("rollcall:count").length;
    await update(harness, "bob", { user_info: { n: 1 } });
    await update(harness, "ann", { user_info: changed });
    for (const client of [bob, quiet]) await client.settled();
    const data = bob.received(updated).map((frame) => JSON.parse(frame.data));
    assert.deepEqual(data, [
      { user_id: "bob", user_info: { n: 1 } },
      { user_id: "ann", user_info: changed },
    ]);
    assert.equal(quiet.received(updated).length, 0);
    assert.equal(quiet.received("rollcall:count").length, counts);
  },
);

memberUpdates.rule(
  "update.rollcall",
  "`rollcall` changes what admins see of the member: `name`, `detail` and `url`, all three. It reaches no " +
    "client, so that alone it causes no event; what is absent or null stays as it is.",
  sources.own,
  async (harness) => {
    const [ann, bob] = await membersOf(harness, "ann", "bob");
    await update(harness, "ann", { rollcall: { name: "Ann Secret" }, user_info: null });
    await update(harness, "ann", { user_info: { ...changed, rollcall: { name: "Ann Hidden" } } });
    await update(harness, "ann", { user_info: changed });
    for (const client of [ann, bob]) await client.settled();
    const data = bob.received(updated).map((frame) => JSON.parse(frame.data));
    assert.deepEqual(data, [{ user_id: "ann", user_info: changed }]);
    const received = [ann, bob].flatMap(({ socket }) => socket.received);
    assert.doesNotMatch(JSON.stringify(received), /Secret|Hidden/);
  },
);

memberUpdates.rule(
  "update.connections",
  "`quiet` and `observe` are of a connection, from its join on: an update with one of them gets 400.",
  sources.own,
  async (harness) => {
    await membersOf(harness, "ann");
    for (const option of [{ quiet: true }, { quiet: false }, { observe: true }]) {
      const answer = await post(harness, `${users}/ann`, { rollcall: option });
      assertRefused(answer, 400, /at rollcall\.(quiet|observe)/);
    }
  },
);

memberUpdates.rule(
  "update.limit",
  "`user_info` over the app's limit gets 413, and the member stays as it is.",
  sources.own,
  async (harness) => {
    await harness.set({ presenceMaxInfoBytes: 1_024 });
    const [ann] = await membersOf(harness, "ann");
    const infoOf = (bytes: number) => "x".repeat(bytes - 2);
    const tooLong = await post(harness, `${users}/ann`, { user_info: infoOf(1_025) });
    assertRefused(tooLong, 413, /user_info is over the limit of 1024 bytes/);
    await update(harness, "ann", { user_info: infoOf(1_024) });
    await ann.settled();
    assert.equal(ann.received(updated).length, 1);
  },
);

memberUpdates.rule(
  "update.refused",
  "A user who is not in the channel gets 404, a channel without users too, and any other kind of channel " +
    "or a malformed body 400.",
  sources.own,
  async (harness) => {
    await membersOf(harness, "ann");
    const body = { user_info: {} };
    const refusedAt = async (path: string, status: number, reason: string, message: RegExp) => {
      const answer = await post(harness, path, body);
      assertRefused(answer, status, message);
      assert.equal(answer.reason, reason);
    };
    await refusedAt(`${users}/bob`, 404, "unknown_user", /bob is not in presence-a/);
    await refusedAt("/channels/presence-b/users/ann", 404, "unknown_channel", /presence-b/);
    await refusedAt("/channels/private-a/users/ann", 400, "bad_request", /not a presence channel/);
    for (const malformed of [{}, [], "ann", { user_info: null }, { rollcall: { url: "x" } }]) {
      assertRefused(await post(harness, `${users}/ann`, malformed), 400, /Invalid body/);
    }
    assertRefused(await call(harness, { path: `${users}/ann` }), 405, /POST/);
  },
);

memberUpdates.rule(
  "update.names",
  "USER is percent-encoded in the path.",
  sources.own,
  async (harness) => {
    const ids = ["ann smith", "bób+é/&=%"];
    const [ann] = await membersOf(harness, ...ids);
    for (const id of ids) await update(harness, id, { user_info: changed });
    await ann.settled();
    const named = ann.received(updated).map(({ data }) => JSON.parse(data).user_id);
    assert.deepEqual(named, ids);
  },
);

memberUpdates.rule(
  "update.echo",
  'Laravel Echo calls `.listen(".rollcall:member_updated")` with the user, and neither `joining` nor `leaving`.',
  sources.echo,
  async (harness) => {
    const client = harness.client();
    const echo = new Echo({ broadcaster: "pusher", key: harness.app.key, client });
    const seen: unknown[] = [];
    echo.join("a")
      .here(() => seen.push("here"))
      .listen(".rollcall:member_updated", (user: unknown) => seen.push(user))
      .joining(() => assert.fail("joining"))
      .leaving(() => assert.fail("leaving"));
    await until(() => seen.length === 1);
    await update(harness, "ann", { user_info: changed });
    await until(() => seen.length === 2);
    assert.deepEqual(seen, ["here", { user_id: "ann", user_info: changed }]);
  },
);

memberUpdates.rule(
  "update.webhook",
  "A webhook whose `event_types` have `member_updated` is sent it, with `user_id` and `user_info`, whenever " +
    "the members are sent the event. Without `event_types`, a webhook receives Pusher's events only.",
  sources.own,
  async (harness) => {
    await using asking = new HookReceiver(harness);
    await using usual = new HookReceiver(harness);
    await harness.set({
      webhooks: [{ url: asking.url, events: ["member_updated"] }, { url: usual.url }],
    });
    await membersOf(harness, "ann");
    await update(harness, "ann", { rollcall: { name: "Ann Secret" } });
    await update(harness, "ann", { user_info: changed });
    await update(harness, "ann", { user_info: { n: 2 } });
    await membersOf(harness, "bob");
    await Promise.all([asking.heard(2), usual.heard(3)]);
    const event = { name: "member_updated", channel: "presence-a", user_id: "ann" };
    assert.deepEqual(asking.taken, [
      { ...event, user_info: changed },
      { ...event, user_info: { n: 2 } },
    ]);
    const names = usual.taken.map(({ name }) => name);
    assert.deepEqual(names, ["channel_occupied", "member_added", "member_added"]);
  },
);

/** Clients of users in one channel, who know of each other. */
async function membersOf(harness: AppHarness, ...userIds: string[]): Promise<PusherClient[]> {
  const clients: PusherClient[] = [];
  for (const userId of userIds) {
    const client = await harness.connected({ userId });
    await client.joined("presence-a");
    clients.push(client);
  }
  for (const client of clients) await client.settled();
  for (const client of clients) client.socket.received.splice(1);
  return clients;
}

/** How many joins and leaves a client was sent. */
function movesOf(client: PusherClient): number {
  return ["added", "removed"]
    .reduce((sum, kind) => sum + client.received(`pusher_internal:member_${kind}`).length, 0);
}

async function update(harness: AppHarness, userId: string, body: unknown): Promise<void> {
  const answer = await post(harness, `${users}/${encodeURIComponent(userId)}`, body);
  assert.deepEqual(answer, { status: 200 });
}
