import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import type { Database } from "@/server/database/database.ts";
import {
  createWallboardLink,
  findWallboardLink,
  listWallboardLinks,
  revokeWallboardLink,
  wallboardLink,
} from "@/server/wallboard/wallboard_links.ts";
import { describeOnEachDatabase } from "../../fixtures/databases.ts";
import { mostWallboardLinks } from "@/shared/limits.ts";

const noon = Date.UTC(2023, 10, 17, 12);
const createdBy = "a".repeat(32);

async function create(database: Database, name = "Lobby", now = noon) {
  const result = await createWallboardLink(database, { name, createdBy }, { now });
  assert(result.ok, JSON.stringify(result));
  return result;
}

describeOnEachDatabase("a wallboard link", (store) => {
  it("is found by its token only, until it is revoked", async () => {
    const database = await store.open();
    const { link, token } = await create(database, " Lobby ");
    const other = await create(database, "Hall");
    assert.match(token, /^[A-Za-z0-9_-]{43}$/);
    assert.deepEqual(link, {
      id: link.id,
      name: "Lobby",
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
    const revoked = await revokeWallboardLink(database, link.id, { now: noon + 5 });
    assert.deepEqual(revoked, { ...link, lastUsedAt: noon, revokedAt: noon + 5 });
    assert.equal(await findWallboardLink(database, token, noon), null);
    assert.equal(await revokeWallboardLink(database, link.id, { now: noon + 6 }), null);
    for (const id of ["", "\0", "f".repeat(32)]) {
      assert.equal(await revokeWallboardLink(database, id), null);
    }
    assert.equal((await findWallboardLink(database, other.token, noon))?.id, other.link.id);
    assert.deepEqual(
      (await listWallboardLinks(database)).map(({ name, revokedAt }) => [name, revokedAt]).sort(),
      [["Hall", null], ["Lobby", noon + 5]],
    );
  });

  it("is not changed when the write beside the change fails", async () => {
    const database = await store.open();
    const inTransaction = () => Promise.reject(new Error("cannot be noted"));
    const input = { name: "Lobby", createdBy };
    await assert.rejects(
      createWallboardLink(database, input, { inTransaction }),
      /cannot be noted/,
    );
    assert.deepEqual(await listWallboardLinks(database), []);
    const { link } = await create(database);
    await assert.rejects(
      revokeWallboardLink(database, link.id, { inTransaction }),
      /cannot be noted/,
    );
    assert.deepEqual(await wallboardLink(database, link.id), link);
    const noted: string[] = [];
    await revokeWallboardLink(database, link.id, {
      inTransaction: (_, { name }) => Promise.resolve(void noted.push(name)),
    });
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
      const result = await createWallboardLink(database, { name, createdBy }, { now: noon });
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
          createWallboardLink(database, { name: "Another", createdBy }, { now: noon })
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
      await revokeWallboardLink(database, link.id, { now: noon + made });
    }
    const names = (await listWallboardLinks(database)).map(({ name }) => name);
    assert.deepEqual([names.length, names[0], names.at(-1)], [100, "100", "1"]);
  });
});
