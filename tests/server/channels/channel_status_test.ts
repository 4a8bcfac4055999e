import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import type { User } from "@/server/accounts/accounts.ts";
import { channelStatus } from "@/server/channels/channel_status.ts";
import { channelList, firstOf, MemberSearches } from "@/server/channels/listed_channels.ts";
import { type ChannelRow, readChannelQuery } from "@/shared/channel_list.ts";
import { maxKeptBytes, RecentEvents } from "@/server/channels/recent_events.ts";
import { type EventLine, maxKeptEvents } from "@/shared/inspection.ts";
import { takeTestCall, testEventFailure } from "@/server/channels/test_event.ts";
import { RealtimeServer } from "@/realtime/server.ts";
import { InspectedServer, own, shop } from "./inspected_server.ts";

// The status uses these fields of an account, and nothing else.
const ada = { id: "7", name: "Ada", role: "admin" } as User;

/** The ids that were looked up among the accounts. */
const lookedUp: string[] = [];

/** The status of a channel, where the user 7 has an account. */
function statusOf(
  server: InspectedServer,
  appId: string,
  name: string,
  { search = "", page = 1 } = {},
) {
  const accountsOf = (ids: readonly string[]) => {
    lookedUp.push(...ids);
    return Promise.resolve(ids.includes("7") ? [ada] : []);
  };
  const { clock, realtime } = server;
  const searches = new MemberSearches(clock);
  const source = { realtime, searches, accountsOf, ownAppId: own.id, pause: async () => {} };
  return channelStatus(source, { id: appId, name: "An app" }, {
    name,
    query: { search, page },
    at: 5,
  });
}

describe("the status of a channel", () => {
  it("has the members by the names that accounts and apps gave them", async () => {
    const server = new InspectedServer();
    const join = (userId: string, info: object) =>
      server.join(own.id, "presence-chart", userId, info);
    join("7", { name: "Not Ada" });
    join("guest-0123456789abcdef0123456789abcdef", {});
    join("8", { name: "Ann Ek" });
    join("9", {});
    const { members, users, guests, subscriptions, isOccupied } = await statusOf(
      ...[server, own.id, "presence-chart"] as const,
    );
    assert.deepEqual([users, guests, subscriptions, isOccupied], [4, 1, 4, true]);
    const names = members!.items.map(({ id, name }) => [id.slice(0, 5), name]);
    assert.deepEqual(names[0], ["7", "Ada"]);
    assert.match(names.find(([id]) => id === "guest")![1], /^Guest/);
    assert.deepEqual(names.filter(([id]) => id === "8" || id === "9"), [["8", "Ann Ek"], [
      "9",
      "9",
    ]]);
    assert.ok(members!.items.every(({ isPerson }) => isPerson));
  });

  it("has no account's name for a user of another app with the same id, and no link", async () => {
    const server = new InspectedServer();
    server.join(shop.id, "presence-chart", "7", { name: "Ann Ek" });
    server.join(shop.id, "presence-chart", "guest-0123456789abcdef0123456789abcdef");
    lookedUp.length = 0;
    const { members } = await statusOf(server, shop.id, "presence-chart");
    assert.deepEqual(lookedUp, []);
    const [ann, other] = members!.items;
    assert.deepEqual([ann.name, ann.isPerson], ["Ann Ek", false]);
    assert.deepEqual([other.name, other.isPerson], [other.id, false]);
  });

  it("has 50 members on a page, who came first at first", async () => {
    const server = new InspectedServer();
    for (let user = 100; user < 160; user++) {
      server.join(shop.id, "presence-desk", String(user));
      server.clock.advance(1);
    }
    const { members } = await statusOf(server, shop.id, "presence-desk", { page: 2 });
    assert.deepEqual([members!.total, members!.page, members!.pages], [60, 2, 2]);
    assert.deepEqual(members!.items.map(({ id }) => id).slice(0, 2), ["150", "151"]);
  });

  it("is made with a look at the members of the page only", async () => {
    const server = new InspectedServer();
    for (let user = 100; user < 200; user++) server.join(own.id, "presence-chart", String(user));
    lookedUp.length = 0;
    for (const { subscriptions } of server.app(own.id).connections.all()) {
      const { userId } = subscriptions.get("presence-chart")!;
      if (userId! >= "150") continue;
      const others = () => assert.fail(`the connection of ${userId} was looked at`);
      Object.defineProperty(subscriptions.get("presence-chart"), "page", { get: others });
    }
    const { members } = await statusOf(server, own.id, "presence-chart", { page: 2 });
    assert.deepEqual([members!.items.length, members!.total, lookedUp.length], [50, 100, 50]);
  });

  it("finds in slices, and does not search again at once where that takes long", async () => {
    const server = new InspectedServer();
    const { clock, realtime } = server;
    const searches = new MemberSearches(clock);
    let pauses = 0;
    let lookups = 0;
    const source = {
      realtime,
      searches,
      ownAppId: own.id,
      accountsOf: (ids: readonly string[]) => {
        lookups += ids.length;
        return Promise.resolve([]);
      },
      pause() {
        pauses++;
        clock.advance(100);
        return Promise.resolve();
      },
    };
    const join = (user: number) =>
      server.join(own.id, "presence-chart", `user-${user}`, {}, { quiet: true });
    const clients = Array.from({ length: 2_500 }, (_, user) => join(user));
    const app = { id: own.id, name: "An app" };
    const hits = async () => {
      lookups = 0;
      const query = { search: "user-24", page: 1 };
      const asked = { name: "presence-chart", query, at: 5 };
      const { members } = await channelStatus(source, app, asked);
      return [members!.hits, members!.total, lookups];
    };
    assert.deepEqual(await hits(), [111, 2_500, 2_550]);
    assert.equal(pauses, 3);
    server.leave(clients[24]);
    clock.advance(2_999);
    assert.deepEqual(await hits(), [110, 2_499, 50]);
    clock.advance(1);
    assert.deepEqual(await hits(), [110, 2_499, 2_549]);
    clock.advance(60_000);
    assert.equal(clock.timers, 0);
  });

  it("has the members who match a search by name, second line or id, in pages", async () => {
    const server = new InspectedServer();
    server.join(own.id, "presence-chart", "7", { name: "Not Ada" });
    server.join(own.id, "presence-chart", "8", { name: "Zoë Adamson" });
    server.join(own.id, "presence-chart", "ada-9", { name: "Someone" });
    for (let user = 100; user < 160; user++) server.join(own.id, "presence-chart", `user-${user}`);
    const found = async (search: string, page = 1) => {
      const { members, users } = await statusOf(
        ...[server, own.id, "presence-chart", { search, page }] as const,
      );
      assert.deepEqual([users, members!.total, members!.search], [63, 63, search]);
      return { ids: members!.items.map(({ id }) => id).sort(), ...members! };
    };
    assert.deepEqual((await found("ADA")).ids, ["7", "8", "ada-9"]);
    assert.deepEqual((await found("  adam  zoe ")).ids, ["8"]);
    assert.deepEqual((await found("not ada")).ids, [], "an account has its own name");
    const { hits, ids, page, pages } = await found("user-1", 2);
    assert.deepEqual([hits, ids.length, page, pages], [60, 10, 2, 2]);
    assert.equal((await found("user-1", 9)).page, 2);
  });

  it("of a channel without subscribers says so", async () => {
    const { isOccupied, members, subscriptions, users } = await statusOf(
      ...[new InspectedServer(), shop.id, "orders"] as const,
    );
    assert.deepEqual([isOccupied, members, subscriptions, users], [false, null, 0, null]);
  });
});

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

const line = (number: number, bytes: number): EventLine => ({
  number,
  bytes,
  at: 0,
  name: "a",
  from: "api",
});

describe("the events that are kept of an inspection", () => {
  it("are the last 200", () => {
    const events = new RecentEvents();
    for (let number = 1; number <= maxKeptEvents + 1; number++) events.add(line(number, 1), "x");
    assert.deepEqual([events.lines.length, events.lines[0].number], [maxKeptEvents, 2]);
    assert.equal(events.find(1), undefined);
    assert.equal(events.find(2)?.data, "x");
  });

  it("have the data of the last ones, up to 1 MB together", () => {
    const events = new RecentEvents();
    for (let number = 1; number <= 3; number++) events.add(line(number, 400_000), `data ${number}`);
    assert.deepEqual([1, 2, 3].map((number) => events.find(number)?.data), [
      undefined,
      "data 2",
      "data 3",
    ]);
    assert.equal(events.lines.length, 3, "the lines stay");
  });

  it("never have the data of one that is too large alone, which drops no other", () => {
    const events = new RecentEvents();
    events.add(line(1, 10), "small");
    events.add(line(2, maxKeptBytes + 1), "large");
    assert.deepEqual([events.find(1)?.data, events.find(2)], ["small", undefined]);
  });
});

const realtime = new RealtimeServer({
  apps: [{ ...shop, maxEventBytes: 10, maxApiRequestsPerSecond: 1 }, own],
});
const api = realtime.appApi(shop.id)!;
const event = { channel: "orders", name: "paid", data: "{}" };

describe("a test event", () => {
  it("is checked by the rules of the HTTP API", () => {
    assert.equal(testEventFailure(api, event), undefined);
    assert.equal(testEventFailure(api, { ...event, channel: "#server-to-user-7" }), undefined);
    for (
      const [changed, field, message] of [
        [{ name: "  " }, "event", /Enter a name\./],
        [{ name: "pusher:error" }, "event", /the protocol's own\./],
        [{ name: "x".repeat(201) }, "event", /200/],
        [{ data: "12345678901" }, "data", /exceeds the allowed maximum \(10 bytes\).*has 11\.$/],
      ] as const
    ) {
      const fault = testEventFailure(api, { ...event, ...changed });
      assert.equal(fault?.field, field);
      assert.match(fault!.message, message);
    }
  });

  it("is not for encrypted channels, whose key Rollcall does not have, and not for its own", () => {
    assert.ok(testEventFailure(api, { ...event, channel: "private-encrypted-a" }));
    const channel = "private-rollcall.online";
    assert.ok(testEventFailure(realtime.appApi(own.id)!, { ...event, channel }));
  });

  it("counts as a call of the app", () => {
    assert.equal(takeTestCall(api), undefined);
    assert.match(takeTestCall(api)!.message, /1 calls a second\.$/);
  });
});
