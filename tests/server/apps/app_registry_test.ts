import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import type { User } from "@/server/accounts/users.ts";
import type { Core } from "@/server/core.ts";
import type { Cluster } from "@/realtime/cluster/cluster.ts";
import type { ServerBus } from "@/realtime/cluster/bus/server_bus.ts";
import { AppRegistry } from "@/server/apps/app_registry.ts";
import { readStoredApps, ReloadableApps, servedApps } from "@/server/config/served_apps.ts";
import { parseConfig } from "@/server/config/config.ts";
import type { Database } from "@/server/database/database.ts";
import { type LogEntry, RealtimeServer } from "@/realtime/server.ts";
import { mostApps } from "@/shared/limits.ts";
import { FirstAppUser } from "@/server/apps/first_app_user.ts";
import { onlineChannel } from "@/server/presence/channels.ts";
import { describeOnDatabase } from "../../fixtures/databases.ts";
import { until } from "../../fixtures/eventually.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { Harness } from "../../realtime/harness.ts";
import { partOf } from "../../fixtures/doubles.ts";

const own = { PUSHER_APP_ID: "own", PUSHER_APP_KEY: "own-app-key" };
const generated = { id: "1", key: "k", secret: "generated-secret" };
const listed = { id: "shop", key: "shop-key", secret: "the-secret-of-the-shop" };

/** The other servers, which are told what has changed. */
function clusterOf(changed: (what: string) => void): Cluster {
  const bus: ServerBus = partOf({
    changes: partOf({ changed: (what) => Promise.resolve(changed(what)) }),
  });
  return partOf({ bus });
}

/** A registry as a server starts it. */
async function started(database: Database, environment: Record<string, string> = own) {
  const config = parseConfig(environment);
  const stored = await readStoredApps(database.queries);
  const served = new ReloadableApps(servedApps(config, { generated }), {
    config,
    stored,
    read: () => parseConfig(environment),
    log: () => {},
    replace: (apps) => realtime.replaceApps(apps),
  });
  const realtime = new RealtimeServer({ apps: served.all });
  const ownSecrets: string[] = [];
  const ownSecret = {
    read: () => Promise.resolve(ownSecrets.at(-1) ?? generated.secret),
    store: (secret: string) => Promise.resolve(void ownSecrets.push(secret)),
  };
  const named: (string | undefined)[] = [];
  const changed = () => named.push(registry.ownNameAmongSeveral);
  let notices = 0;
  const cluster = clusterOf(() => notices++);
  const registry = new AppRegistry(partOf({ database, served, cluster }), ownSecret, changed);
  return { registry, realtime, served, ownSecrets, named, notices: () => notices };
}

async function added(registry: AppRegistry, name = "Shop") {
  const result = await registry.add(name);
  assert.ok(result.ok, JSON.stringify(result));
  return result.app;
}

describeOnDatabase("the apps that admins manage", (store) => {
  it("are served at once and after a restart, with ids, keys and secrets of their own", async () => {
    const database = await store.open();
    const { registry, realtime } = await started(database);
    const [shop, blog] = [await added(registry), await added(registry, " Blog ")];
    assert.deepEqual(registry.list().map(({ name }) => name), ["Your app", "Shop", "Blog"]);
    assert.match(shop.key, /^[0-9a-f]{20}$/);
    const secrets = [shop, blog].map(({ id }) => registry.secretOf(id));
    assert.notEqual(secrets[0], secrets[1]);
    for (const secret of secrets) assert.match(secret ?? "", /^[0-9a-f]{40}$/);
    assert.equal(realtime.app(shop.id)?.settings.secret, secrets[0]);
    const again = await started(await store.open());
    assert.deepEqual(again.registry.list(), registry.list());
    assert.equal(again.realtime.app(blog.id)?.settings.key, blog.key);
  });

  it("are served by another server once it reloads them, with their secrets", async () => {
    const [one, other] = [await started(await store.open()), await started(await store.open())];
    const shop = await added(one.registry);
    await one.registry.rotate("own");
    assert.deepEqual([one.notices(), other.notices()], [2, 0]);
    other.ownSecrets.push(one.ownSecrets.at(-1)!);
    await other.registry.reload();
    assert.deepEqual(other.registry.list(), one.registry.list());
    for (const id of ["own", shop.id]) {
      const { secret } = one.realtime.app(id)!.settings;
      assert.equal(other.realtime.app(id)?.settings.secret, secret);
    }
    await one.registry.remove(shop.id);
    await other.registry.reload();
    assert.equal(other.realtime.app(shop.id), undefined);
    assert.equal(other.notices(), 0, "a reload is no change");
  });

  it("keep the secret that the settings state when they are reloaded", async () => {
    const stated = { ...own, PUSHER_APP_KEY: "own-app-key", PUSHER_APP_SECRET: "x".repeat(20) };
    const { registry, realtime } = await started(await store.open(), stated);
    await registry.reload();
    assert.equal(realtime.app("own")?.settings.secret, "x".repeat(20));
  });

  it("name the own one after each change while there are several", async () => {
    const { registry, named } = await started(await store.open());
    assert.equal(registry.ownNameAmongSeveral, undefined);
    const blog = await added(registry, "Blog");
    assert.ok((await registry.rename("own", "Shop")).ok);
    assert.ok((await registry.remove(blog.id)).ok);
    assert.deepEqual(named, ["Your app", "Shop", undefined]);
  });

  it("keep their channels when they are renamed and their secrets replaced", async () => {
    const database = await store.open();
    const { registry, realtime } = await started(database);
    const shop = await added(registry);
    const before = realtime.app(shop.id);
    const secret = registry.secretOf(shop.id);
    assert.ok((await registry.rename(shop.id, "Store")).ok);
    assert.ok((await registry.rotate(shop.id)).ok);
    assert.equal(registry.find(shop.id)?.name, "Store");
    assert.notEqual(registry.secretOf(shop.id), secret);
    assert.equal(realtime.app(shop.id), before);
    assert.equal(before?.settings.secret, registry.secretOf(shop.id));
    const again = await started(await store.open());
    assert.equal(again.registry.secretOf(shop.id), registry.secretOf(shop.id));
    assert.equal(again.registry.find(shop.id)?.name, "Store");
  });

  it("are gone after they are removed", async () => {
    const database = await store.open();
    const { registry, realtime } = await started(database);
    const shop = await added(registry);
    assert.ok((await registry.remove(shop.id)).ok);
    assert.equal(realtime.app(shop.id), undefined);
    assert.deepEqual((await started(await store.open())).registry.list().length, 1);
    for (const change of [registry.remove(shop.id), registry.rotate(shop.id)]) {
      assert.deepEqual(await change, {
        ok: false,
        reason: "unknown",
        message: "This app no longer exists.",
      });
    }
  });

  it("include the app of the pages, which has a name and a new secret but stays", async () => {
    const database = await store.open();
    const { registry, realtime, ownSecrets } = await started(database);
    assert.ok((await registry.rename("own", "Intranet")).ok);
    assert.ok((await registry.rotate("own")).ok);
    assert.deepEqual(ownSecrets, [registry.secretOf("own")]);
    assert.equal(realtime.app("own")?.settings.secret, ownSecrets[0]);
    const refused = await registry.remove("own");
    assert.ok(!refused.ok && refused.reason === "read_only");
    const again = await started(await store.open());
    assert.equal(again.registry.find("own")?.name, "Intranet");
    assert.equal(again.registry.secretOf("own"), generated.secret, "it is stored elsewhere");
  });

  it("do not change what the settings state", async () => {
    const database = await store.open();
    const stated = { ...own, PUSHER_APP_SECRET: "a-secret-of-the-settings" };
    const { registry } = await started(database, stated);
    const refused = await registry.rotate("own");
    assert.ok(!refused.ok && refused.reason === "read_only");
    await added(registry);
    const list = { APPS: JSON.stringify([listed]) };
    const { registry: readOnly } = await started(await store.open(), list);
    assert.deepEqual(readOnly.list().map(({ id }) => id), ["shop"]);
    for (
      const change of [readOnly.add("A"), readOnly.rename("shop", "B"), readOnly.rotate("shop")]
    ) {
      const result = await change;
      assert.ok(!result.ok && result.reason === "read_only", JSON.stringify(result));
    }
  });

  it("have a name of 1 to 100 characters, and a limit", async () => {
    const database = await store.open();
    const { registry } = await started(database);
    for (const name of ["", "  ", "x".repeat(101), "a\0b"]) {
      const result = await registry.add(name);
      assert.ok(!result.ok && result.reason === "invalid", JSON.stringify(name));
    }
    for (let count = 1; count < mostApps; count++) await added(registry, `App ${count}`);
    const result = await registry.add("One too many");
    assert.ok(!result.ok && result.reason === "too_many");
  });

  it("do not change when the write beside the change fails", async () => {
    const database = await store.open();
    const { registry } = await started(database);
    const shop = await added(registry);
    const fail = () => Promise.reject(new Error("no audit"));
    const secret = registry.secretOf(shop.id);
    await assert.rejects(registry.add("Blog", fail), /no audit/);
    await assert.rejects(registry.rotate(shop.id, fail), /no audit/);
    await assert.rejects(registry.rotate("own", fail), /no audit/);
    await assert.rejects(registry.remove(shop.id, fail), /no audit/);
    assert.deepEqual(registry.list().map(({ name }) => name), ["Your app", "Shop"]);
    assert.equal(registry.secretOf(shop.id), secret);
    assert.equal(registry.secretOf("own"), generated.secret);
  });
});

/** What a running server, whose account `admin` is Rollcall's own, knows of the first user of an app. */
async function openedBy(harness: Harness, database: Pick<Database, "queries">) {
  const clock = new ManualClock();
  const done: string[] = [];
  const lookedUp: string[] = [];
  const admin: User = {
    id: "admin",
    name: "Ada",
    email: "ada@example.org",
    role: "admin",
    limits: null,
    disabled: false,
    language: null,
    createdAt: new Date(0),
  };
  const core: Core = partOf({
    database: partOf(database),
    realtime: harness.realtime,
    accounts: partOf({
      findAll(ids) {
        lookedUp.push(...ids);
        return Promise.resolve(ids.includes(admin.id) ? [admin] : []);
      },
      list: () => Promise.resolve([admin]),
    }),
    cluster: clusterOf((what) => done.push(what)),
    ownApp: partOf({ presence: partOf({ isMember: (_channel, id) => id === admin.id }) }),
    allServers: partOf({ reconnectUser: (id) => done.push(`reconnect ${id}`) }),
  });
  const log = ({ message }: LogEntry) => done.push(message);
  const firstAppUser = await FirstAppUser.open(core, log, clock);
  return { clock, done, firstAppUser, lookedUp };
}

describeOnDatabase("the first user of an app", (store) => {
  it("has come once one has joined a presence channel, on every server and after a restart", async () => {
    const database = await store.open();
    await using harness = new Harness();
    await using otherHarness = new Harness();
    const { clock, done, firstAppUser } = await openedBy(harness, database);
    const other = await openedBy(otherHarness, await store.open());
    assert.equal(firstAppUser.hasCome, false);
    await harness.member("7", "presence-room");
    await until(() => done.includes("first_app_user"));
    assert.equal(firstAppUser.hasCome, true);
    await until(() => clock.timers > 0);
    clock.advance(2_000);
    await harness.member("8", onlineChannel);
    await until(() => done.length > 1);
    assert.deepEqual(done, ["first_app_user", "reconnect admin"], "the other servers first");
    assert.equal(other.firstAppUser.hasCome, false);
    await other.firstAppUser.reload();
    assert.equal(other.firstAppUser.hasCome, true);
    assert.deepEqual(other.done, [], "only the server that stored it goes on");
    assert.equal((await openedBy(otherHarness, database)).firstAppUser.hasCome, true);
  });

  it("is no account, guest, check of the public address or simulated user", async () => {
    await using harness = new Harness();
    const { done, firstAppUser, lookedUp } = await openedBy(harness, await store.open());
    await harness.member(`guest-${"3f2a".repeat(8)}`, onlineChannel);
    await harness.member("rollcall-check.Xk3", "presence-rollcall-check.Xk3");
    await harness.member("rollcall-crowd.7", onlineChannel);
    await harness.member("admin", onlineChannel);
    await until(() => lookedUp.length > 0);
    await harness.member("admin", "presence-room");
    await until(() => lookedUp.length > 1);
    assert.deepEqual(lookedUp, ["admin", "admin"]);
    assert.deepEqual([firstAppUser.hasCome, done], [false, []]);
    firstAppUser.stop();
    await harness.member("7", "presence-room");
    assert.equal(lookedUp.length, 2, "nothing is looked up after the stop");
  });

  it("is stored later when the database fails", async () => {
    const database = await store.open();
    let isDown = false;
    const failing = {
      get queries() {
        if (isDown) throw new Error("The database is down");
        return database.queries;
      },
    };
    await using harness = new Harness();
    const { clock, done, firstAppUser } = await openedBy(harness, failing);
    isDown = true;
    await harness.member("7", "presence-room");
    await until(() => done.length > 0);
    assert.deepEqual(done, ["Could not store that an app has had a user"]);
    assert.equal(firstAppUser.hasCome, false, "servers would differ in whom they count");
    isDown = false;
    clock.advance(5_000);
    await until(() => firstAppUser.hasCome);
    assert.equal((await openedBy(harness, database)).firstAppUser.hasCome, true);
  });
});
