import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import type { Database } from "@/server/database/database.ts";
import { wallboardChannel } from "@/shared/wallboard.ts";
import { Wallboards } from "@/server/wallboard/wallboards.ts";
import {
  createWallboardLink,
  findWallboardLink,
  listWallboardLinks,
  revokeWallboardLink,
  wallboardLink,
} from "@/server/wallboard/wallboard_links.ts";
import { mostWallboardLinks } from "@/shared/limits.ts";
import { describeOnDatabase } from "../../fixtures/databases.ts";
import { partOf } from "../../fixtures/doubles.ts";

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
  const wallboards = new Wallboards(database, () => partOf(sockets), () => 0);
  const made = await wallboards.create({ name: "Lobby", createdBy: "a" }, noted);
  assert.ok(made.ok);
  return { wallboards, ...made, channel: wallboardChannel(made.link.id) };
}

describeOnDatabase("the links of wallboards", (store) => {
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

const noon = Date.UTC(2023, 10, 17, 12);
const createdBy = "a".repeat(32);

async function create(database: Database, name = "Lobby", now = noon) {
  const result = await createWallboardLink(database, { name, createdBy }, undefined, now);
  assert(result.ok, JSON.stringify(result));
  return result;
}

describeOnDatabase("a wallboard link", (store) => {
  it("is found by its token only, until it is revoked", async () => {
    const database = await store.open();
    const { link, token } = await create(database, " Lobby ");
    const other = await create(database, "Hall");
    assert.match(token, /^[A-Za-z0-9_-]{43}$/);
    assert.deepEqual(link, {
      id: link.id,
      name: "Lobby",
      activity: "none",
      createdAt: noon,
      createdBy,
      lastUsedAt: null,
      revokedAt: null,
    });
    assert.deepEqual(await findWallboardLink(await store.open(), token, noon), {
      ...link,
      lastUsedAt: noon,
    });
    const changed = (token[0] === "A" ? "B" : "A") + token.slice(1);
    for (const wrong of ["", "\0", link.id, changed, token + "A", token + "\n", ` ${token}`]) {
      assert.equal(await findWallboardLink(database, wrong, noon), null, JSON.stringify(wrong));
    }
    const revoked = await revokeWallboardLink(database, link.id, undefined, noon + 5);
    assert.deepEqual(revoked, { ...link, lastUsedAt: noon, revokedAt: noon + 5 });
    assert.equal(await findWallboardLink(database, token, noon), null);
    assert.equal(await revokeWallboardLink(database, link.id, undefined, noon + 6), null);
    for (const id of ["", "\0", "f".repeat(32)]) {
      assert.equal(await revokeWallboardLink(database, id), null);
    }
    assert.equal((await findWallboardLink(database, other.token, noon))?.id, other.link.id);
    assert.deepEqual(
      (await listWallboardLinks(database)).map(({ name, revokedAt }) => [name, revokedAt]).sort(),
      [["Hall", null], ["Lobby", noon + 5]],
    );
  });

  it("shows active users once it was made so", async () => {
    const database = await store.open();
    const input = { name: "Lobby", createdBy, activity: "shown" } as const;
    const made = await createWallboardLink(database, input);
    assert.ok(made.ok);
    assert.equal((await findWallboardLink(database, made.token))?.activity, "shown");
  });

  it("is not changed when the write beside the change fails", async () => {
    const database = await store.open();
    const inTransaction = () => Promise.reject(new Error("cannot be noted"));
    const input = { name: "Lobby", createdBy };
    await assert.rejects(
      createWallboardLink(database, input, inTransaction),
      /cannot be noted/,
    );
    assert.deepEqual(await listWallboardLinks(database), []);
    const { link } = await create(database);
    await assert.rejects(
      revokeWallboardLink(database, link.id, inTransaction),
      /cannot be noted/,
    );
    assert.deepEqual(await wallboardLink(database, link.id), link);
    const noted: string[] = [];
    await revokeWallboardLink(
      database,
      link.id,
      (_, { name }) => Promise.resolve(void noted.push(name)),
    );
    assert.deepEqual([noted, await wallboardLink(database, link.id)], [["Lobby"], null]);
  });

  it("is stored without its token", async () => {
    const database = await store.open();
    const { token } = await create(database);
    const rows = JSON.stringify(await store.query(`select * from "wallboardLink"`));
    assert(!rows.includes(token));
    assert(!JSON.stringify(await listWallboardLinks(database)).includes("tokenHash"));
  });

  it("has its last use recorded at most once a minute", async () => {
    const database = await store.open();
    const { token } = await create(database);
    const noted = async (now: number) => {
      await findWallboardLink(database, token, now);
      return (await listWallboardLinks(database))[0].lastUsedAt;
    };
    assert.equal(await noted(noon), noon);
    assert.equal(await noted(noon + 59_999), noon);
    assert.equal(await noted(noon + 60_000), noon + 60_000);
  });

  it("is refused with an empty, overlong or unprintable name", async () => {
    const database = await store.open();
    for (const name of ["", "  ", "x".repeat(101), "a\0b", "a\nb", "\ud800"]) {
      const result = await createWallboardLink(database, { name, createdBy }, undefined, noon);
      assert(!result.ok && result.reason === "invalid", JSON.stringify(name));
    }
    assert.deepEqual(await listWallboardLinks(database), []);
  });

  it("is refused when there are 100, even by two processes at the same time", async () => {
    const [here, there] = [await store.open(), await store.open()];
    for (let made = 0; made < mostWallboardLinks - 1; made++) await create(here);
    for (let run = 0; run < 20; run++) {
      const results = await Promise.all(
        [here, there, here, there].map((database) =>
          createWallboardLink(database, { name: "Another", createdBy }, undefined, noon)
        ),
      );
      const made = results.filter((result) => result.ok);
      assert.equal(made.length, 1);
      assert(results.every((result) => result.ok || result.reason === "too_many"));
      await revokeWallboardLink(here, made[0].link.id);
    }
  });

  it("is kept after its revocation until 100 others are revoked", async () => {
    const database = await store.open();
    for (let made = 0; made <= mostWallboardLinks; made++) {
      const { link } = await create(database, String(made), noon + made);
      await revokeWallboardLink(database, link.id, undefined, noon + made);
    }
    const names = (await listWallboardLinks(database)).map(({ name }) => name);
    assert.deepEqual([names.length, names[0], names.at(-1)], [100, "100", "1"]);
  });
});
