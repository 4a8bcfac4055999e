import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { channelList, firstOf } from "@/server/channels/listed_channels.ts";
import { type ChannelRow, readChannelQuery } from "@/shared/channel_list.ts";

const row = (name: string, more: Partial<ChannelRow> = {}): ChannelRow => ({
  appId: "1",
  app: "Shop",
  name,
  kind: "public",
  isCache: false,
  users: null,
  subscriptions: 1,
  ...more,
});

const rows = [
  row("b", { subscriptions: 2 }),
  row("a", { subscriptions: 2 }),
  row("Orders.7", { kind: "private", appId: "2", app: "blog" }),
  row("presence-x", { kind: "presence", users: 9, subscriptions: 12 }),
  row("cache-c", { isCache: true }),
];

/** The names that an address lists. */
function names(query: string): string[] {
  const channelStats = { at: 0, apps: [], channels: rows };
  return channelList(channelStats, readChannelQuery(new URLSearchParams(query)))
    .rows.map(({ name }) => name);
}

describe("the list of channels", () => {
  it("begins with the channels of most subscriptions, equals by name", () => {
    assert.deepEqual(names(""), ["presence-x", "a", "b", "Orders.7", "cache-c"]);
  });

  it("finds a part of the name in any case", () => {
    assert.deepEqual(names("q=ORDERS."), ["Orders.7"]);
    assert.deepEqual(names("q=.%2B"), []);
  });

  it("is narrowed to an app and a kind", () => {
    assert.deepEqual(names("app=2"), ["Orders.7"]);
    assert.deepEqual(names("kind=presence"), ["presence-x"]);
    assert.deepEqual(names("kind=cache"), ["cache-c"]);
    assert.deepEqual(names("kind=public&q=c"), ["cache-c"]);
    assert.deepEqual(names("kind=nothing").length, 5, "an unknown kind does not narrow it");
  });

  it("is sorted by each column in both directions", () => {
    assert.equal(names("sort=name")[0], "Orders.7");
    assert.equal(names("sort=-name")[0], "presence-x");
    assert.equal(names("sort=app")[0], "Orders.7");
    assert.equal(names("sort=-users")[0], "presence-x");
    assert.equal(names("sort=kind")[1], "Orders.7");
    assert.equal(names("sort=subscriptions").at(-1), "presence-x");
  });

  it("has pages of 50, and the last one for a page beyond it", () => {
    const channels = Array.from({ length: 120 }, (_, index) => row(`c${1_000 + index}`));
    const page = (number: string) =>
      channelList(
        { at: 0, apps: [], channels },
        readChannelQuery(new URLSearchParams({ page: number })),
      );
    assert.deepEqual(page("2").rows.map(({ name }) => name).slice(0, 2), ["c1050", "c1051"]);
    const { rows, page: last, pages, hits, total } = page("99");
    assert.deepEqual([rows.length, last, pages, hits, total], [20, 3, 3, 120, 120]);
    assert.equal(page("-1").page, 1);
  });

  it("takes the first rows of any order, as if all were sorted", () => {
    const order = (a: ChannelRow, b: ChannelRow) =>
      a.subscriptions - b.subscriptions || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.nat(3), fc.nat(999)), { selector: ([, name]) => name }),
        fc.integer({ min: 1, max: 9 }),
        (values, count) => {
          const all = values.map(([subscriptions, name]) => row(String(name), { subscriptions }));
          assert.deepEqual(firstOf(all, count, order), all.toSorted(order).slice(0, count));
        },
      ),
    );
  });
});
