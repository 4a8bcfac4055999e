import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { User } from "@/server/accounts/accounts.ts";
import { channelStatus } from "@/server/channels/channel_status.ts";
import { MemberSearches } from "@/server/channels/listed_channels.ts";
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
    const { members, users, subscriptions, isOccupied } = await statusOf(
      ...[server, own.id, "presence-chart"] as const,
    );
    assert.deepEqual([users, subscriptions, isOccupied], [4, 4, true]);
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
