import assert from "node:assert/strict";
import fc from "fast-check";
import { it } from "@std/testing/bdd";
import { newUnguessableId } from "@/server/accounts/digest.ts";
import { type Embed, embedTokens } from "@/server/embed/embed_links.ts";
import type { Cluster } from "@/realtime/cluster/cluster.ts";
import type { ServerBus } from "@/realtime/cluster/bus/server_bus.ts";
import type { Core } from "@/server/core.ts";
import { Embeds } from "@/server/embed/embeds.ts";
import { mostEmbeds } from "@/shared/limits.ts";
import { describeOnDatabase, type TestDatabase } from "../../fixtures/databases.ts";
import { partOf } from "../../fixtures/doubles.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

const secret = "a secret of the tests";
const none = "none" as const;
const settings = {
  name: "Status page",
  label: "online",
  origins: [],
  readers: none,
  activity: none,
};
const inTransaction = () => Promise.resolve();

class Site {
  readonly clock = new ManualClock();
  readonly logged: string[] = [];
  users = 25;
  notices = 0;
  embeds!: Embeds;

  static async open(store: TestDatabase): Promise<Site> {
    const site = new Site();
    const bus: ServerBus = partOf({
      changes: partOf({ changed: () => Promise.resolve(void site.notices++) }),
    });
    const core: Core = partOf({
      database: await store.open(),
      appSecret: secret,
      cluster: partOf<Cluster>({ bus }),
    });
    site.embeds = new Embeds(
      core,
      () => ({ users: site.users, freshness: { state: "live" } }),
      ({ message }) => site.logged.push(message),
      site.clock,
    );
    await site.embeds.reload();
    return site;
  }

  async create(name = "Status page"): Promise<Embed> {
    const embed = await this.embeds.create({ ...settings, name, createdBy: "ada" }, inTransaction);
    assert.ok(embed);
    return embed;
  }

  async get(token: string, address = "192.0.2.1"): Promise<Response> {
    const request = new Request(`http://localhost/embed/${token}.json`);
    return await this.embeds.answer(request, { token, format: "json" }, address);
  }

  async status(token: string, address?: string): Promise<number> {
    const response = await this.get(token, address);
    await response.body?.cancel();
    return response.status;
  }
}

describeOnDatabase("embeds", (store) => {
  it("are given by another server once it reloads them, changed ones as they are, until revoked", async () => {
    const [one, other] = [await Site.open(store), await Site.open(store)];
    const first = await one.create("First");
    const second = await one.create("Second");
    await one.embeds.change(first.id, { ...settings, name: "Renamed" }, inTransaction);
    assert.equal(await other.status(one.embeds.tokenOf(first)), 404);
    await other.embeds.reload();
    const names = other.embeds.list.map(({ name }) => name);
    assert.deepEqual(names.toSorted(), ["Renamed", "Second"]);
    assert.equal(await other.status(one.embeds.tokenOf(first)), 200);
    await one.embeds.revoke(second.id, inTransaction);
    await other.embeds.reload();
    assert.deepEqual(other.embeds.list.map(({ name }) => name), ["Renamed"]);
    assert.equal(await other.status(one.embeds.tokenOf(second)), 404);
    assert.deepEqual([one.notices, other.notices], [4, 0]);
  });

  it("give the count as it is, before and after a restart, by the same token", async () => {
    const site = await Site.open(store);
    const token = site.embeds.tokenOf(await site.create());
    assert.deepEqual(await (await site.get(token)).json(), { users: 25 });
    site.users = 26;
    assert.deepEqual(await (await site.get(token)).json(), { users: 26 });
    const again = await Site.open(store);
    assert.deepEqual(await (await again.get(token)).json(), { users: 25 });
    const [embed] = again.embeds.list;
    assert.equal(again.embeds.tokenOf(embed), token);
  });

  it("are not found once revoked, by a wrong token, or by one of another secret", async () => {
    const site = await Site.open(store);
    const embed = await site.create();
    const token = site.embeds.tokenOf(embed);
    const wrong = [
      "",
      embed.id,
      token.slice(0, -1),
      `${token}x`,
      embedTokens.tokenOf("another secret", embed.id),
      embedTokens.tokenOf(secret, newUnguessableId()),
    ];
    for (const other of wrong) assert.equal(await site.status(other), 404, other);
    assert.equal(await site.status(token), 200);
    assert.equal((await site.embeds.revoke(embed.id, inTransaction))?.name, "Status page");
    assert.equal(await site.status(token), 404);
    assert.equal(await site.embeds.revoke(embed.id, inTransaction), null);
    assert.equal(await (await Site.open(store)).status(token), 404);
  });

  it("have settings that can change, while the token stays", async () => {
    const site = await Site.open(store);
    const embed = await site.create();
    const changed = { ...settings, label: "players", origins: ["https://example.com"] };
    await site.embeds.change(embed.id, { ...changed, readers: "listed" }, inTransaction);
    const request = new Request("http://localhost/", {
      headers: { origin: "https://example.com" },
    });
    const token = site.embeds.tokenOf(embed);
    const response = await site.embeds.answer(request, { token, format: "svg" }, "192.0.2.1");
    assert.match(await response.text(), /25 players/);
    assert.equal(response.headers.get("access-control-allow-origin"), "https://example.com");
    const [stored] = (await Site.open(store)).embeds.list;
    assert.deepEqual(stored.origins, ["https://example.com"]);
    assert.equal(await site.embeds.change(newUnguessableId(), settings, inTransaction), null);
  });

  it("are neither made, changed nor revoked if the admin log fails", async () => {
    const site = await Site.open(store);
    const embed = await site.create();
    const fails = () => Promise.reject(new Error("no audit"));
    await assert.rejects(site.embeds.create({ ...settings, createdBy: "ada" }, fails));
    await assert.rejects(site.embeds.change(embed.id, { ...settings, label: "x" }, fails));
    await assert.rejects(site.embeds.revoke(embed.id, fails));
    assert.deepEqual(site.embeds.list, [embed]);
    assert.deepEqual((await Site.open(store)).embeds.list, [embed]);
  });

  it("are listed newest first, and not more than the limit", async () => {
    const site = await Site.open(store);
    for (let count = 0; count < mostEmbeds; count++) {
      site.clock.advance(1);
      await site.create(`Embed ${count}`);
    }
    assert.equal(await site.embeds.create({ ...settings, createdBy: "ada" }, inTransaction), null);
    for (const { embeds } of [site, await Site.open(store)]) {
      assert.deepEqual(embeds.list.map(({ name }) => name).slice(0, 2), ["Embed 99", "Embed 98"]);
    }
  });

  it("answer 1,200 requests of a client in a minute, and other clients' requests", async () => {
    const site = await Site.open(store);
    const token = site.embeds.tokenOf(await site.create());
    for (let count = 0; count < 1_200; count++) await site.status(token);
    const limited = await site.get(token);
    assert.equal(limited.status, 429);
    assert.equal(limited.headers.get("retry-after"), "60");
    await limited.body?.cancel();
    assert.equal(await site.status(token, "192.0.2.2"), 200);
    site.clock.advance(60_000);
    assert.equal(await site.status(token), 200);
  });

  it("answer right links of a client that sends any number of wrong ones", async () => {
    const site = await Site.open(store);
    const token = site.embeds.tokenOf(await site.create());
    for (let count = 0; count < 1_200; count++) await site.status("wrong");
    assert.equal(await site.status("wrong"), 429);
    assert.equal(await site.status(token), 200);
  });

  it("store when they were last used once a minute, and answer if that fails", async () => {
    const site = await Site.open(store);
    site.clock.advance(1_000);
    const token = site.embeds.tokenOf(await site.create());
    const stored = async () => (await Site.open(store)).embeds.list[0].lastUsedAt;
    await site.status(token);
    assert.equal(await stored(), 1_000);
    site.clock.advance(59_999);
    await site.status(token);
    assert.equal(await stored(), 1_000);
    site.clock.advance(1);
    await store.query(`alter table "embed" rename to "elsewhere"`);
    assert.equal(await site.status(token), 200);
    await store.query(`alter table "elsewhere" rename to "embed"`);
    assert.deepEqual(site.logged, ["The use of an embed could not be stored"]);
  });

  it("have tokens that only the secret makes", () => {
    const id = newUnguessableId();
    assert.equal(embedTokens.idIn(secret, embedTokens.tokenOf(secret, id)), id);
    fc.assert(fc.property(fc.string(), (text) => {
      assert.equal(embedTokens.idIn(secret, text), null);
      assert.equal(embedTokens.idIn(secret, id + text), null);
    }));
  });
});
