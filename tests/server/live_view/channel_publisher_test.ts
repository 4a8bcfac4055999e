import assert from "node:assert/strict";
import { beforeEach, describe, it } from "@std/testing/bdd";
import { ChannelPublisher, largeAbove, smallBelow } from "@/server/live_view/channel_publisher.ts";
import type { ChannelPresence } from "@/server/presence/channel_presence.ts";
import { onlineKey } from "@/shared/counted.ts";
import type { OnlineSummary } from "@/shared/large_channel.ts";
import type { OnlineChanged } from "@/shared/online.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { ChannelOfPeople } from "../recording/channel_of_people.ts";

describe("the publisher of a channel", () => {
  let clock: ManualClock;
  let channel: ChannelOfPeople;
  let changes: OnlineChanged[];
  let summaries: OnlineSummary[];
  let sizes: boolean[];
  let isWatched: boolean;
  let publisher: ChannelPublisher;
  beforeEach(() => {
    clock = new ManualClock();
    channel = new ChannelOfPeople(clock);
    [changes, summaries, sizes, isWatched] = [[], [], [], true];
    publisher = new ChannelPublisher({
      channel: onlineKey,
      // It has what the publisher uses of a channel.
      presence: channel as unknown as ChannelPresence,
      accountsOf: channel.accountsOf,
      source: () => undefined,
      isWatched: () => isWatched,
      publishChanges: (changed) => changes.push(changed),
      publishSummary: (summary) => summaries.push(summary),
      resized: (isLarge) => sizes.push(isLarge),
      clock,
      log: ({ message }) => assert.fail(message),
      pause: () => Promise.resolve(),
    });
  });

  const isOnline = (users: number) => {
    while (channel.present.size < users) {
      publisher.presenceChanged(channel.join(`id-${channel.present.size}`));
    }
    while (channel.present.size > users) {
      publisher.presenceChanged(channel.leave(`id-${channel.present.size - 1}`));
    }
  };
  const pass = async () => {
    clock.advance(500);
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };

  it("sends every change of a small one, and of a large one totals only", async () => {
    isOnline(2);
    await pass();
    assert.deepEqual([changes.length, summaries.length], [1, 0]);
    isOnline(largeAbove + 1);
    await pass();
    isOnline(largeAbove + 9);
    await pass();
    assert.equal(changes.length, 1);
    assert.deepEqual(
      summaries.map(({ users, isLarge }) => [users, isLarge]),
      [[largeAbove + 1, true], [largeAbove + 9, true]],
    );
    const { people, isLarge, users } = await publisher.snapshot();
    assert.deepEqual([people, isLarge, users], [[], true, largeAbove + 9]);
  });

  it("stays large until far fewer are online, so that pages do not load lists again and again", async () => {
    isOnline(largeAbove);
    assert.equal(publisher.isLarge, false);
    isOnline(largeAbove + 1);
    isOnline(smallBelow);
    isOnline(largeAbove + 1);
    await pass();
    assert.deepEqual(sizes, [true]);
    isOnline(smallBelow - 1);
    isOnline(largeAbove);
    await pass();
    assert.deepEqual(sizes, [true, false]);
  });

  it("has pages ask for a list when it is small again, and sends nobody as news who was there", async () => {
    isOnline(largeAbove + 1);
    await pass();
    const before = await publisher.snapshot();
    isOnline(smallBelow - 1);
    assert.equal(summaries.at(-1)?.isLarge, false);
    await pass();
    const { people, version } = await publisher.snapshot();
    assert.equal(people.length, smallBelow - 1);
    assert.ok(version > before.version);
    assert.deepEqual(changes, []);
    isOnline(smallBelow);
    await pass();
    assert.deepEqual(changes.map(({ version: next }) => next - version), [1]);
  });

  it("lets no page continue a list that it had before the channel was large", async () => {
    isOnline(1);
    await pass();
    const { version } = await publisher.snapshot();
    isOnline(largeAbove + 1);
    isOnline(2);
    await publisher.snapshot();
    isOnline(3);
    await pass();
    assert.ok(changes.at(-1)!.version > version + 1);
  });

  it("has rows of a large one that follow who comes and goes", async () => {
    isOnline(largeAbove + 1);
    const query = { search: "", sort: { column: "since" as const, descending: true } };
    const first = async () =>
      (await publisher.rows(query, { offset: 0, limit: 1, anchors: [] })).people[0].id;
    await first();
    clock.advance(5_000);
    publisher.presenceChanged(channel.join("newcomer"));
    assert.equal(await first(), "newcomer");
    clock.advance(5_000);
    publisher.presenceChanged(channel.leave("newcomer"));
    assert.notEqual(await first(), "newcomer");
  });

  it("draws a page of a large channel, the last one for one beyond", async () => {
    isOnline(largeAbove + 20);
    const query = { search: "", sort: { column: "name" as const, descending: false } };
    const snapshot = await publisher.snapshot();
    const { before, page, pages, people, hits, total } = await publisher.page(snapshot, query, 2);
    const users = largeAbove + 20;
    assert.deepEqual([before, page, pages, hits, total], [
      30,
      2,
      Math.ceil(users / 30),
      users,
      users,
    ]);
    assert.deepEqual([people.length, people[0].id], [30, "id-30"]);
    const last = await publisher.page(snapshot, query, 9_999);
    assert.equal(last.people.at(-1)?.id, `id-${users - 1}`);
    const found = await publisher.page(snapshot, { ...query, search: "id-7 2" }, 3);
    assert.equal(found.before + found.people.length, found.hits);
  });

  it("does no work while no page is open, and tells the size of it all the same", () => {
    isWatched = false;
    isOnline(largeAbove + 1);
    assert.deepEqual([clock.timers, sizes], [0, [true]]);
    isOnline(0);
    assert.deepEqual([clock.timers, sizes, summaries], [0, [true, false], []]);
  });
});
