import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { HistoryReport } from "@/shared/history.ts";
import type { OnlineList } from "@/shared/online.ts";
import { AppClient } from "../../fixtures/member_sockets.ts";
import { eventually } from "../../fixtures/eventually.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const own = { id: "4711", key: "key-of-the-shop", secret: "a-secret-of-the-shop-alone" };
const orders = "presence-orders";

describe("a second counted channel", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let clients: AppClient[];

  beforeAll(async () => {
    server = await Rollcall.start({
      PUSHER_APP_ID: own.id,
      PUSHER_APP_KEY: own.key,
      PUSHER_APP_SECRET: own.secret,
      COUNTED_CHANNELS: `${orders} 1/presence-later`,
      METRICS_TOKEN: "a-token-of-the-tests",
      PRESENCE_GRACE_MS: "0",
      DRAIN_MS: "0",
    });
    [ada] = await moveIn(server);
    clients = [
      await joined("presence-chart", "7", "Ann Ek"),
      await joined(orders, "7", "Ann Ek"),
      await joined(orders, "8", "Bo Lind"),
    ];
  });
  afterAll(async () => {
    for (const client of clients) await client[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  async function joined(channel: string, id: string, name: string): Promise<AppClient> {
    const client = await AppClient.connect(server, own);
    return await client.join(channel, { user_id: id, rollcall: { name } });
  }

  async function list(channel?: string): Promise<OnlineList> {
    const query = channel === undefined ? "" : `?channel=${encodeURIComponent(channel)}`;
    return JSON.parse((await ada.get(`/admin/online/snapshot${query}`)).text);
  }

  it("has its own list, and a sum in which a user in two channels is one", async () => {
    const namesIn = async (channel?: string) =>
      (await list(channel)).people.map(({ name }) => name).toSorted();
    assert.deepEqual(await namesIn(), ["Ann Ek"]);
    assert.deepEqual(await namesIn(orders), ["Ann Ek", "Bo Lind"]);
    assert.deepEqual(await namesIn("1/presence-later"), []);
    const { counted } = await list(orders);
    assert.equal(counted?.users, 2);
    assert.deepEqual(counted?.channels, [
      { key: "presence-chart", users: 1 },
      { key: orders, users: 2 },
      { key: "1/presence-later", users: 0 },
    ]);
    const { text } = await ada.get(`/admin/online?channel=${orders}`);
    assert.match(text, /<h1[^>]*>presence-orders<\/h1>/);
    assert.match(text, /class="online-number">2</);
    assert.match(text, /2 tabs/);
  });

  it("has its own history", async () => {
    const midnight = Math.floor(Date.now() / 900_000) * 900_000 - 4 * 3_600_000;
    const most = async (query: string) => {
      const path = `/admin/online/history?range=hour&midnight=${midnight}${query}`;
      const { peak }: HistoryReport = JSON.parse((await ada.get(path)).text);
      return peak?.users;
    };
    assert.deepEqual([await most(""), await most(`&channel=${orders}`)], [1, 2]);
  });

  it("has its own entries in the activity log and its file, which can be filtered by it", async () => {
    const rows = (query = "") =>
      eventually(async () => {
        const { text } = await ada.get(`/admin/activity/activity.csv${query}`);
        const found: Record<string, string>[] = parse(text, { columns: true });
        return found.length > 0 ? found.map(({ name, channel }) => [name, channel]) : undefined;
      }, "the log had entries");
    await eventually(async () => (await rows()).length === 3 || undefined, "all had been stored");
    assert.deepEqual(await rows(`?channel=${orders}`), [["Bo Lind", orders], ["Ann Ek", orders]]);
    assert.deepEqual(await rows("?channel=presence-chart"), [["Ann Ek", "presence-chart"]]);
    const { text } = await ada.get(`/admin/activity?channel=${orders}`);
    assert.match(text, /<option value="presence-orders" selected>/);
    const recent = JSON.parse((await ada.get(`/admin/online/activity?channel=${orders}`)).text);
    assert.deepEqual(recent.map(({ name }: { name: string }) => name), ["Bo Lind", "Ann Ek"]);
  });

  it("has its own alert", async () => {
    await ada.get(`/admin/settings/alerts?channel=${orders}`);
    const alert = { enabled: "on", users: "2", direction: "up", holdSeconds: "0", webhookUrl: "" };
    const saved = await ada.submit("/admin/settings/alert", { ...alert, channel: orders });
    assert.equal(
      saved.headers.get("location"),
      `/admin/settings/alerts?channel=${orders}&done=alert`,
    );
    await eventually(
      async () => (await list(orders)).alert.phase === "active" || undefined,
      "the alert of the channel was active",
    );
    assert.equal((await list()).alert.threshold, null);
    assert.match((await ada.get("/admin/activity/admins")).text, /presence-orders/);
    const unknown = await ada.submit("/admin/settings/alert", { ...alert, channel: "presence-x" });
    assert.equal(unknown.status, 404);
  });

  it("is on the page of a person who is in it, and in the metrics", async () => {
    assert.match((await ada.get("/admin/people/8")).text, /<dd>presence-orders<\/dd>/);
    assert.match(
      (await ada.get("/admin/people/7")).text,
      /<dd>presence-chart, presence-orders<\/dd>/,
    );
    const metrics = await ada.send("GET", "/metrics", undefined, {
      authorization: "Bearer a-token-of-the-tests",
    });
    assert.match(metrics.text, /^rollcall_users\{app="4711",channel="presence-orders"\} 2$/m);
  });

  it("answers 404 for a channel that is not counted", async () => {
    for (const path of ["", "/snapshot", "/activity", "/seen", "/history"]) {
      const { status } = await ada.get(`/admin/online${path}?channel=presence-other`);
      assert.equal(status, 404, path);
    }
  });
});

describe("a counted channel of an app that is added while the server runs", () => {
  it("counts from then on, has users without pages here, and is empty once the app is removed", async () => {
    const file = await Deno.makeTempFile({ suffix: ".json" });
    const desk = { id: "4712", key: "key-of-the-desk", secret: "a-secret-of-the-desk-alone" };
    const write = (apps: object[]) => Deno.writeTextFile(file, JSON.stringify(apps));
    await write([own]);
    await using server = await Rollcall.start({
      APPS_FILE: file,
      COUNTED_CHANNELS: "4712/presence-chart",
      PRESENCE_GRACE_MS: "0",
      DRAIN_MS: "0",
    });
    const [ada] = await moveIn(server);
    const channel = encodeURIComponent("4712/presence-chart");
    const page = async () => (await ada.get(`/admin/online?channel=${channel}`)).text;
    assert.match(await page(), /class="online-number">0</);

    await write([own, { ...desk, name: "Desk" }]);
    server.signal("SIGHUP");
    await server.printed(/Apps reloaded.*added=\S*4712/);
    const client = await AppClient.connect(server, desk);
    await client.join("presence-chart", { user_id: "7", rollcall: { name: "Di Desk" } });
    assert.match(await page(), /class="online-number">1</);
    assert.match(await page(), /Di Desk/);
    assert.doesNotMatch(await page(), /\/admin\/people\/7"/);
    assert.equal((await ada.get("/admin/people/7")).status, 404);

    await write([own]);
    server.signal("SIGHUP");
    await server.printed(/Apps reloaded.*removed=\S*4712/);
    assert.match(await page(), /class="online-number">0</);
    const changes = await eventually(async () => {
      const { text } = await ada.get(`/admin/activity/activity.csv?channel=${channel}`);
      const found: Record<string, string>[] = parse(text, { columns: true });
      return found.length === 2 ? found.map(({ change }) => change) : undefined;
    }, "the leave was stored");
    assert.deepEqual(changes, ["left", "joined"]);
    await client.client.closed;
    await Deno.remove(file);
  });
});
