import assert from "node:assert/strict";
import { beforeEach, describe, it } from "@std/testing/bdd";
import { LiveMemberIndex } from "@/server/live_view/live_member_index.ts";
import type { ChannelPresence } from "@/server/presence/channel_presence.ts";
import { onlineKey } from "@/shared/counted.ts";
import type { OnlineTableColumn } from "@/shared/online_table.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { ChannelOfPeople } from "../recording/channel_of_people.ts";
import { partOf } from "../../fixtures/doubles.ts";

describe("the member index of a large channel", () => {
  let clock: ManualClock;
  let channel: ChannelOfPeople;
  let source: string | undefined;
  let pauses: number;
  let memberIndex: LiveMemberIndex;
  beforeEach(() => {
    clock = new ManualClock();
    channel = new ChannelOfPeople(clock);
    [source, pauses] = [undefined, 0];
    memberIndex = new LiveMemberIndex(partOf({
      channel: onlineKey,
      presence: partOf<ChannelPresence>(channel),
      accountsOf: channel.accountsOf,
      source: () => source,
      clock,
      pause: () => Promise.resolve(void pauses++),
    }));
  });

  const rows = (search = "", column: OnlineTableColumn = "name") =>
    memberIndex.rows(
      { search, sort: { column, descending: false } },
      { offset: 0, limit: 100, anchors: [] },
    );
  const names = async (search = "") => (await rows(search)).people.map(({ name }) => name);
  const come = (...ids: string[]) => {
    for (const id of ids) memberIndex.changed(channel.join(id).userId!);
  };
  const go = (...ids: string[]) => {
    for (const id of ids) memberIndex.changed(channel.leave(id).userId!);
  };

  it("is read by id as it is now in a small channel, each person once while others join and leave", async () => {
    come("user3", "user1", "user5");
    const after = async (after?: string) =>
      await memberIndex.after({ search: "" }, { after, limit: 2 });
    const first = await after();
    assert.deepEqual(first.people.map(({ id }) => id), ["user1", "user3"]);
    go("user3");
    come("user0", "user4");
    const second = await after(first.next!);
    assert.deepEqual(second.people.map(({ id }) => id), ["user4", "user5"]);
    assert.equal(second.next, null);
  });

  it("is read by page a part at a time, with a place to go on even where no one is found", async () => {
    const ids = Array.from(
      { length: 6_000 },
      (_, index) => `user${String(index).padStart(4, "0")}`,
    );
    come(...ids);
    const paths = new Map([["user5500", ["/rare", "/now"]], ["user0001", ["/now"]]]);
    const members = channel.onAllServers;
    const asked = partOf<ChannelPresence>({
      ...channel,
      now: channel.now,
      onAllServers: async (userIds) => {
        const answer = await members(userIds);
        const pagesOf = (id: string) =>
          paths.get(id)?.map((path) => ({ path, device: undefined, since: 0 }));
        const withPages = answer.members.map((one) => {
          const pages = pagesOf(one.userId) ?? [];
          return { ...one, pages: pages.length > 0 ? pages : undefined };
        });
        return { ...answer, members: withPages };
      },
    });
    const large = new LiveMemberIndex(partOf({
      channel: onlineKey,
      presence: asked,
      accountsOf: channel.accountsOf,
      source: () => source,
      clock,
      pause: () => Promise.resolve(),
    }));
    const first = await large.after({ search: "" }, { limit: 3, path: "/rare" });
    assert.deepEqual([first.people, first.next], [[], "user4999"]);
    const second = await large.after({ search: "" }, {
      limit: 3,
      path: "/rare",
      after: first.next!,
    });
    assert.deepEqual(second.people.map(({ id, page }) => [id, page?.path]), [[
      "user5500",
      "/rare",
    ]]);
    assert.equal(second.next, null);
    const many = await large.after({ search: "" }, { limit: 1, path: "/now" });
    assert.deepEqual([many.people.map(({ id }) => id), many.next], [["user0001"], "user0999"]);
  });

  it("has who joined and left on other servers, and keeps users whose server does not answer", async () => {
    const several = new LiveMemberIndex(partOf({
      channel: onlineKey,
      presence: partOf<ChannelPresence>(channel),
      accountsOf: channel.accountsOf,
      clock,
      source: () => source,
      pause: () => Promise.resolve(),
      areSeveral: true,
    }));
    const ids = async () => {
      clock.advance(1_000);
      const query = { search: "", sort: { column: "name", descending: false } } as const;
      const { people } = await several.rows(query, { offset: 0, limit: 100, anchors: [] });
      return people.map(({ id }) => id);
    };
    for (const id of ["user1", "user2"]) channel.join(id);
    assert.deepEqual(await ids(), ["user1", "user2"]);
    channel.join("user3");
    channel.leave("user1");
    assert.deepEqual(await ids(), ["user1", "user2"]);
    several.changedRemotely();
    assert.deepEqual(await ids(), ["user2", "user3"]);
    const known = channel.present.get("user3")!;
    channel.leave("user3");
    channel.missing = ["user3"];
    several.changed("user3");
    assert.deepEqual(await ids(), ["user2", "user3"]);
    channel.missing = [];
    channel.present.set("user3", known);
    assert.deepEqual(await ids(), ["user2", "user3"]);
    several.forget();
  });

  it("finds the active among many, and those who are so from now on", async () => {
    come("user1", "user2");
    const active = async () => {
      clock.advance(1_000);
      const { people } = await memberIndex.rows(
        { search: "", sort: { column: "name", descending: false }, only: "active" },
        { offset: 0, limit: 100, anchors: [] },
      );
      return people.map(({ id }) => id);
    };
    assert.deepEqual(await active(), []);
    Object.assign(channel.present.get("user2")!, { activity: { state: "active", since: 0 } });
    memberIndex.changed("user2");
    assert.deepEqual(await active(), ["user2"]);
    Object.assign(channel.present.get("user2")!, { activity: { state: "idle", since: 0 } });
    memberIndex.changed("user2");
    assert.deepEqual(await active(), []);
  });

  it("has everyone by name, with the pages that they have open", async () => {
    come("user2", "user1", "42");
    const { people, total, hits, at } = await rows();
    assert.deepEqual(people.map(({ name }) => name), ["42", "Name of user1", "Name of user2"]);
    assert.deepEqual(people.map(({ page }) => page), Array(3).fill({ path: "/now" }));
    assert.deepEqual([total, hits, at], [3, 3, 0]);
    assert.deepEqual((await rows("USER1")).people.map(({ id }) => id), ["user1"]);
  });

  it("follows who comes and goes, at most once a second, and looks up newcomers only", async () => {
    come("user1", "user2");
    await rows();
    come("user3");
    go("user2");
    assert.deepEqual(await names(), ["Name of user1", "Name of user2"]);
    clock.advance(1_000);
    assert.deepEqual(await names(), ["Name of user1", "Name of user3"]);
    assert.deepEqual(channel.lookups, [2, 1]);
    clock.advance(1_000);
    come("user1");
    assert.deepEqual((await rows()).people.map(({ connections }) => connections), [2, 1]);
    clock.advance(1_000);
    await rows("", "tabs");
    assert.equal(channel.lookups.reduce((sum, count) => sum + count), 3);
  });

  it("takes one who left and came back for a newcomer", async () => {
    come("user1");
    await rows();
    clock.advance(5_000);
    go("user1");
    channel.names.set("user1", "New");
    come("user1");
    const [{ name, since }] = (await rows()).people;
    assert.deepEqual([name, since], ["New", 5_000]);
  });

  it("looks up a name again that changed", async () => {
    come("user1");
    await rows();
    channel.names.set("user1", "Ada");
    clock.advance(1_000);
    assert.deepEqual(await names(), ["Name of user1"]);
    memberIndex.identityChanged("user1");
    clock.advance(1_000);
    assert.deepEqual(await names(), ["Ada"]);
  });

  it("is made again with the name of the app once there are several", async () => {
    come("42");
    assert.equal((await rows()).people[0].source, undefined);
    source = "Shop";
    assert.equal((await rows()).people[0].source, "Shop");
  });

  it("is made with pauses, and looks at the connections of the asked rows only", async () => {
    come(...Array.from({ length: 5_000 }, (_, index) => `user${index}`));
    await memberIndex.rows({ search: "", sort: { column: "name", descending: false } }, {
      offset: 2_000,
      limit: 30,
      anchors: [],
    });
    assert.deepEqual(channel.looks, [30]);
    assert.deepEqual(channel.lookups, Array(5).fill(1_000));
    assert.ok(pauses >= 5);
  });

  it("has who came while it was made", async () => {
    come("user1");
    const asked = rows();
    await Promise.resolve();
    come("user2");
    await asked;
    clock.advance(1_000);
    assert.deepEqual(await names(), ["Name of user1", "Name of user2"]);
  });

  it("fails with the look-up of names, and misses nobody afterwards", async () => {
    come("user1");
    channel.isBroken = true;
    await assert.rejects(rows(), /no database/);
    channel.isBroken = false;
    assert.deepEqual(await names(), ["Name of user1"]);
    come("user2");
    channel.isBroken = true;
    clock.advance(1_000);
    await assert.rejects(rows(), /no database/);
    channel.isBroken = false;
    clock.advance(1_000);
    assert.deepEqual(await names(), ["Name of user1", "Name of user2"]);
  });

  it("is dropped when no page asked for a minute, and made again when one does", async () => {
    come("user1");
    await rows();
    clock.advance(59_000);
    await rows();
    clock.advance(60_000);
    assert.equal(clock.timers, 0);
    come("user2", "user3");
    go("user2");
    assert.deepEqual(await names(), ["Name of user1", "Name of user3"]);
    assert.deepEqual(channel.lookups, [1, 0, 2]);
  });
});
