import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import type { Database } from "@/server/database/database.ts";
import { wallboardChannel } from "@/shared/wallboard.ts";
import { Wallboards } from "@/server/wallboard/wallboards.ts";
import { describeOnEachDatabase } from "../../fixtures/databases.ts";

const noted = () => Promise.resolve();
const peer = "192.0.2.1";
const socketId = "1.1";

/** A server with one open socket. */
class Sockets {
  owner: string | undefined;
  isOpen = true;

  claimSocket = (_: string, { userId }: { userId: string }) => {
    if (this.isOpen) this.owner = userId;
    return Promise.resolve("claimed" as const);
  };
  closeUser = (userId: string) => {
    if (this.owner === userId) this.isOpen = false;
  };
  isOccupied = () => Promise.resolve(false);
}

async function make(database: Database, sockets = new Sockets()) {
  const wallboards = new Wallboards({ database, allServers: () => sockets, now: () => 0 });
  const made = await wallboards.create({ name: "Lobby", createdBy: "a" }, noted);
  assert.ok(made.ok);
  return { wallboards, ...made, channel: wallboardChannel(made.link.id) };
}

describeOnEachDatabase("the links of wallboards", (store) => {
  it("leave no socket open when revoked while it is admitted, 20 times", async () => {
    const database = await store.open();
    const outcomes = new Set<boolean>();
    for (let run = 0; run < 20; run++) {
      const sockets = new Sockets();
      const { wallboards, link, token, channel } = await make(database, sockets);
      const revocation = async () => {
        for (let turn = 0; turn < run; turn++) await Promise.resolve();
        await wallboards.revoke(link.id, noted);
      };
      const [admission] = await Promise.all([
        wallboards.admit({ token, channel, socketId }, peer),
        revocation(),
      ]);
      outcomes.add(admission.ok);
      assert.ok(!admission.ok || !sockets.isOpen, `run ${run}`);
    }
  });

  it("open their own channel and no other, until revoked", async () => {
    const sockets = new Sockets();
    const { wallboards, link, token, channel } = await make(await store.open(), sockets);
    for (const other of ["private-admin", "presence-chart", wallboardChannel("0".repeat(32))]) {
      const refused = await wallboards.admit({ token, channel: other, socketId }, peer);
      assert.deepEqual(refused, { ok: false, reason: "foreign_channel" });
    }
    assert.equal(sockets.owner, undefined);
    assert.deepEqual(await wallboards.admit({ token, channel, socketId }, peer), { ok: true });
    await wallboards.revoke(link.id, noted);
    assert.equal(sockets.isOpen, false);
  });

  it("are listed until revoked, with whether a screen shows them", async () => {
    const { wallboards, link } = await make(await store.open());
    const listed = async () =>
      (await wallboards.list()).map(({ name, inUse }) => ({ name, inUse }));
    assert.deepEqual(await listed(), [{ name: "Lobby", inUse: false }]);
    await wallboards.revoke(link.id, noted);
    assert.deepEqual(await listed(), []);
    assert.equal(await wallboards.revoke(link.id, noted), null);
  });

  it("open for the first time too after as many wrong tokens of their peer, until revoked", async () => {
    const { wallboards, link, token } = await make(await store.open());
    for (let count = 0; count < 20; count++) await wallboards.check("wrong", peer);
    const limited = { ok: false, reason: "rate_limited", retryAfterSeconds: 60 };
    assert.deepEqual(await wallboards.check("wrong", peer), limited);
    assert.deepEqual(await wallboards.check("wrong", "::ffff:192.0.2.1"), limited);
    assert.ok((await wallboards.check(token, peer)).ok);
    await wallboards.revoke(link.id, noted);
    assert.deepEqual(await wallboards.check(token, peer), limited);
    const elsewhere = await wallboards.check(token, "192.0.2.2");
    assert.deepEqual(elsewhere, { ok: false, reason: "unknown" });
  });
});
