import assert from "node:assert/strict";
import Echo from "laravel-echo";
import { until } from "../../realtime/harness.ts";
import { sources, Suite } from "../suite.ts";
import { next, type PusherClient } from "../pusher_client.ts";
import type { AppHarness } from "../harness.ts";

/** Rules that no other server has. */
export const quietMembers = new Suite("quiet", "Quiet members of presence channels");

quietMembers.rule(
  "quiet.list",
  '`channel_data` or `user_data` with `"rollcall": {"quiet": true}` makes a quiet member: its list has ' +
    "only itself, and `count` is 1.",
  sources.own,
  async (harness) => {
    await (await harness.connected({ userId: "bob" })).joined("presence-a");
    const quiet = await quietClient(harness);
    const { members } = await quiet.joined("presence-a");
    assert.deepEqual([members.me.id, members.count], ["ann", 1]);
    const [{ data }] = quiet.received("pusher_internal:subscription_succeeded");
    const hash = { ann: { id: "ann" } };
    assert.deepEqual(JSON.parse(data), { presence: { ids: ["ann"], hash, count: 1 } });
  },
);

quietMembers.rule(
  "quiet.count",
  "It is sent `rollcall:count` with `users`, the number of members, and `as_of`, milliseconds since 1970. Where some " +
    "are guests, `guests` is their number. It is sent on joining and after changes: at once up to 100 members, above " +
    "that at most once a second. The last number is always sent.",
  sources.own,
  async (harness) => {
    const quiet = await quietClient(harness);
    const counts: number[] = [];
    quiet.subscribe("presence-a").bind(
      "rollcall:count",
      (count: { users: number; as_of: number }) => {
        assert.ok(Math.abs(Date.now() - count.as_of) < 60_000);
        counts.push(count.users);
      },
    );
    await until(() => counts.length === 1);
    const bob = await harness.connected({ userId: "bob" });
    await bob.joined("presence-a");
    await until(() => counts.length === 2);
    bob.unsubscribe("presence-a");
    await until(() => counts.length === 3);
    assert.deepEqual(counts, [1, 2, 1]);
  },
);

quietMembers.rule(
  "quiet.changes",
  "It is sent no `member_added` and no `member_removed`, and events of the channel like others.",
  sources.own,
  async (harness) => {
    const quiet = await quietClient(harness);
    const room = await quiet.joined("presence-a");
    const bob = await harness.connected({ userId: "bob" });
    await bob.joined("presence-a");
    bob.unsubscribe("presence-a");
    await bob.settled();
    const news = next(room, "news");
    await harness.library().trigger("presence-a", "news", { text: "hello" });
    assert.deepEqual(await news, { text: "hello" });
    assert.equal(quiet.received("pusher_internal:member_added").length, 0);
    assert.equal(quiet.received("pusher_internal:member_removed").length, 0);
  },
);

quietMembers.rule(
  "quiet.others",
  "Others see it like any member: in their lists, by `member_added` and `member_removed`, in the HTTP " +
    "API and in webhooks. A user with quiet and other connections is one member.",
  sources.own,
  async (harness) => {
    const bob = await harness.connected({ userId: "bob" });
    const room = await bob.joined("presence-a");
    const added = next<{ id: string }>(room, "pusher:member_added");
    const quiet = await quietClient(harness);
    await quiet.joined("presence-a");
    assert.equal((await added).id, "ann");
    await (await harness.connected()).joined("presence-a");
    const answer = await harness.library().get({ path: "/channels/presence-a/users" });
    assert.deepEqual(await answer.json(), { users: [{ id: "bob" }, { id: "ann" }] });
    await bob.settled();
    assert.equal(bob.received("pusher_internal:member_added").length, 1);
  },
);

quietMembers.rule(
  "quiet.rule",
  "An app's `quiet_channels` names channels whose members are quiet unless they are signed with " +
    '`"quiet": false`. Only what is signed is believed.',
  sources.own,
  async (harness) => {
    await harness.set({ quietChannels: ["presence-*"] });
    await (await harness.connected({ userId: "bob" })).joined("presence-a");
    const full = await harness.connected({ rollcall: { quiet: false } });
    assert.equal((await full.joined("presence-a")).members.count, 2);
    const quiet = await harness.connected({ userId: "cem" });
    assert.equal((await quiet.joined("presence-a")).members.count, 1);
  },
);

quietMembers.rule(
  "quiet.full",
  "Members that are not quiet have a limit of their own (10,000); further ones are refused with an " +
    "error that tells of quiet members.",
  sources.own,
  async (harness) => {
    await harness.set({ presenceMaxFullMembers: 1 });
    await (await harness.connected()).joined("presence-a");
    const other = await harness.connected({ userId: "bob" });
    await assert.rejects(other.joined("presence-a"), /"type":"LimitReached".*quiet/);
    await (await quietClient(harness, "cem")).joined("presence-a");
  },
);

quietMembers.rule(
  "quiet.echo",
  'Laravel Echo calls `here` with the member itself, and `.listen(".rollcall:count")` with the number.',
  sources.echo,
  async (harness) => {
    await (await harness.connected({ userId: "bob" })).joined("presence-a");
    const client = harness.client({ rollcall: { quiet: true } });
    const echo = new Echo({ broadcaster: "pusher", key: harness.app.key, client });
    const seen: unknown[] = [];
    echo.join("a")
      .here((members: { id: string }[]) => seen.push(members.map(({ id }) => id)))
      .listen(".rollcall:count", ({ users }: { users: number }) => seen.push(users))
      .joining(() => assert.fail("joining"))
      .leaving(() => assert.fail("leaving"))
      .error((error: unknown) => assert.fail(JSON.stringify(error)));
    await until(() => seen.length === 2);
    await (await harness.connected({ userId: "cem" })).joined("presence-a");
    await until(() => seen.length === 3);
    assert.deepEqual(seen, [["ann"], 2, 3]);
  },
);

function quietClient(harness: AppHarness, userId = "ann"): Promise<PusherClient> {
  return harness.connected({ userId, rollcall: { quiet: true } });
}
