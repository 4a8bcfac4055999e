import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import type { Database } from "@/server/database/database.ts";
import { BlockedPeople, blockReasonSchema } from "@/server/presence/blocked_people.ts";
import { mostBlockedPeople } from "@/shared/limits.ts";
import { describeOnDatabase } from "../../fixtures/databases.ts";

const bo = {
  appId: "1",
  userId: "bo",
  name: "Bo",
  reason: "You broke the rules",
  blockedAt: 1_000,
  blockedBy: "ada",
};
const nothing = () => Promise.resolve();

/** A server with the blocked people of a database: what it closed, and how often it told the others. */
class Server {
  readonly closed: string[] = [];
  told = 0;
  readonly blocked: BlockedPeople;

  constructor(database: Database) {
    this.blocked = new BlockedPeople(database, {
      close: (appId, userId, reason) => this.closed.push(`${appId} ${userId}: ${reason}`),
      stored: () => {
        this.told++;
        return Promise.resolve();
      },
    });
  }
}

it("the reason for a block is one line without control characters, at most 200 long", () => {
  assert.equal(blockReasonSchema.parse("  a\nb\u202e "), "a b");
  assert.equal(blockReasonSchema.safeParse("x".repeat(201)).success, false);
});

describeOnDatabase("the blocked people", (store) => {
  it("are refused in their app alone, with the reason, and closed, until they are unblocked", async () => {
    const server = new Server(await store.open());
    const { blocked, closed } = server;
    assert.equal(blocked.reasonOf("1", "bo"), undefined);
    const audited: string[] = [];
    assert.equal(
      await blocked.block(bo, (_, { name }) => {
        audited.push(name);
        return Promise.resolve();
      }),
      true,
    );
    assert.deepEqual([audited, closed], [["Bo"], ["1 bo: You broke the rules"]]);
    assert.equal(blocked.reasonOf("1", "bo"), "You broke the rules");
    assert.equal(blocked.reasonOf("2", "bo"), undefined);
    assert.deepEqual(await blocked.list(10), [bo]);
    assert.equal(await blocked.unblock("2", "bo", nothing), false);
    assert.equal(await blocked.unblock("1", "bo", nothing), true);
    assert.equal(blocked.reasonOf("1", "bo"), undefined);
    assert.deepEqual(await blocked.list(10), []);
    assert.equal(server.told, 2, "nothing is told where nothing has changed");
  });

  it("are told something where no reason is given", async () => {
    const { blocked } = new Server(await store.open());
    await blocked.block({ ...bo, reason: "" }, nothing);
    assert.equal(blocked.reasonOf("1", "bo"), "Blocked by an admin");
  });

  it("are as they were when the entry of the admin log cannot be stored", async () => {
    const { blocked, closed } = new Server(await store.open());
    const fails = () => Promise.reject(new Error("no entry"));
    await assert.rejects(blocked.block(bo, fails), /no entry/);
    assert.deepEqual([blocked.size, closed, await blocked.list(1)], [0, [], []]);
    await blocked.block(bo, nothing);
    await assert.rejects(blocked.unblock("1", "bo", fails), /no entry/);
    assert.deepEqual([blocked.size, (await blocked.list(1)).length], [1, 1]);
  });

  it("are read by another server, which closes those whom it did not know", async () => {
    const one = new Server(await store.open());
    const other = new Server(await store.open());
    await one.blocked.block(bo, nothing);
    await one.blocked.block({ ...bo, appId: "2", userId: "cy" }, nothing);
    assert.equal(one.told, 2);
    await other.blocked.reload();
    assert.equal(other.blocked.reasonOf("2", "cy"), "You broke the rules");
    assert.equal(other.closed.length, 2);
    await one.blocked.unblock("1", "bo", nothing);
    await other.blocked.reload();
    assert.equal(other.blocked.reasonOf("1", "bo"), undefined);
    assert.deepEqual(other.closed.length, 2, "whom it knew is not closed again");
  });

  it("stay blocked although the list is read while they are blocked", async () => {
    const { blocked } = new Server(await store.open());
    const people = Array.from({ length: 20 }, (_, index) => `person ${index}`);
    await Promise.all(people.flatMap((userId) => [
      blocked.reload(),
      blocked.block({ ...bo, userId }, nothing),
    ]));
    assert.equal(blocked.size, 20);
    await Promise.all(people.flatMap((userId) => [
      blocked.unblock("1", userId, nothing),
      blocked.reload(),
    ]));
    assert.equal(blocked.size, 0);
  });

  it("are at most 10,000 in an app: another is refused, and the others stay blocked", async () => {
    const database = await store.open();
    const { blocked, closed } = new Server(database);
    const rows = Array.from({ length: mostBlockedPeople }, (_, index) => ({
      ...bo,
      userId: `person ${index}`,
    }));
    for (let first = 0; first < rows.length; first += 1_000) {
      await database.queries.insertInto("blockedPerson").values(rows.slice(first, first + 1_000))
        .execute();
    }
    assert.equal(await blocked.block(bo, nothing), false);
    assert.deepEqual([closed, (await blocked.list(1, "bo")).length], [[], 0]);
    assert.equal(await blocked.block({ ...rows[0], reason: "another" }, nothing), true);
    assert.equal(await blocked.block({ ...bo, appId: "2" }, nothing), true);
  });
});
