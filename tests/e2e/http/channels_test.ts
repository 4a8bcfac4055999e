import assert from "node:assert/strict";
import Pusher from "pusher";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { AppCredentials } from "@/realtime/app_config.ts";
import { type ChannelList, channelPath, type ChannelStatus } from "@/shared/channel_list.ts";
import type { Inspection } from "@/shared/inspection.ts";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { addApp, audited, revealed } from "../../fixtures/admin_forms.ts";
import { AppClient } from "../../fixtures/member_sockets.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { inspectorChannel } from "@/server/presence/channels.ts";

const key = "a-key-of-the-tests";
const json = { accept: "application/json" };

describe("the channels", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let shop: AppCredentials;
  let client: AppClient;

  beforeAll(async () => {
    server = await Rollcall.start({ PUSHER_APP_KEY: key, PUSHER_APP_SECRET: "s".repeat(20) });
    [ada] = await moveIn(server, "user");
    shop = await revealed(ada, await addApp(ada, "Shop <1>"));
    const tab = await AdmittedSocket.connect(server, key, ada);
    await tab.join("presence-chart");
    client = await AppClient.connect(server, shop);
    await client.join(["orders.1", "private-encrypted-chat"]);
    await client.join("presence-desk", {
      user_id: "7",
      user_info: {},
      rollcall: { name: "Ann Ek" },
    });
    // The first user of an app has admins' pages connect again that are counted.
    await tab.closeCode();
  });
  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const channel = (name: string) => ({ app: shop.id, name });
  const get = async (path: string) => JSON.parse((await ada.get(path, json)).text);
  const of = (name: string) => new URLSearchParams(channel(name)).toString();
  const post = (path: string, fields: Record<string, string>, headers = json) => {
    const body = new URLSearchParams({ _token: ada.csrfToken, confirmed: "yes", ...fields });
    return ada.send("POST", path, body, headers);
  };

  it("are listed with links, sorted and searched without script", async () => {
    const { text } = await ada.get(`/admin/channels?app=${shop.id}&sort=name`);
    const listed = [...text.matchAll(/<a [^>]*\/channels\/[^>]*><bdi>([^<]*)<\/bdi>/g)].map((
      [, name],
    ) => name);
    assert.deepEqual(listed, ["orders.1", "presence-desk", "private-encrypted-chat"]);
    assert.ok(
      text.includes(channelPath({ appId: shop.id, name: "orders.1" }).replace("&", "&amp;")),
    );
    assert.match(
      (await ada.get("/admin/channels?q=nothing")).text,
      /No occupied channel matches “nothing”/,
    );
    const list: ChannelList = await get("/admin/channels/list?kind=presence&q=DESK");
    assert.deepEqual(
      list.rows.map(({ name, app, users, subscriptions }) => ({
        name,
        app,
        users,
        subscriptions,
      })),
      [{ name: "presence-desk", app: "Shop <1>", users: 1, subscriptions: 1 }],
    );
  });

  it("of Rollcall's own pages are not listed, and have no page", async () => {
    await using tab = await AdmittedSocket.connect(server, key, ada);
    await tab.join("private-rollcall.online");
    const own = (await get("/admin/channels/list") as ChannelList).apps[0].id;
    assert.ok(!(await ada.get("/admin/channels?q=rollcall")).text.includes("private-rollcall."));
    for (const path of ["channel", "status", "events"]) {
      const query = new URLSearchParams({ app: own, name: "private-rollcall.online" });
      assert.equal((await ada.get(`/admin/channels/${path}?${query}`)).status, 404, path);
    }
  });

  it("show their members by the names that only admins see", async () => {
    assert.match((await ada.get(`/admin/channels/channel?${of("presence-desk")}`)).text, /Ann Ek/);
    const status: ChannelStatus = await get(`/admin/channels/status?${of("presence-desk")}`);
    assert.deepEqual(status.members?.items.map(({ id, name }) => [id, name]), [["7", "Ann Ek"]]);
  });

  it("answer 404 for an app that does not exist and a malformed name", async () => {
    for (const query of ["", "app=0&name=a", `app=${shop.id}`, `app=${shop.id}&name=a%20b`]) {
      for (const path of ["channel", "status", "events"]) {
        assert.equal((await ada.get(`/admin/channels/${path}?${query}`)).status, 404, query);
      }
    }
    assert.equal((await post("/admin/channels/data", channel("a b"))).status, 404);
    assert.equal((await post("/admin/channels/channel", channel("a b"))).status, 404);
  });

  it("send what passes by to an admin's page, and its data after a click that the admin log has", async () => {
    const name = "private-paid.1";
    await using page = await AdmittedSocket.connect(server, key, ada);
    await page.join(inspectorChannel({ appId: shop.id, channel: name }));
    const opened: Inspection = await get(`/admin/channels/events?${of(name)}`);
    assert.deepEqual([opened.isOpen, opened.lines], [true, []]);
    const port = new URL(server.origin).port;
    const library = new Pusher({ appId: shop.id, ...shop, host: "127.0.0.1", port });
    await library.trigger(name, "paid", { total: "17.50" });
    const { data } = await page.next("App\\Events\\EventsInspected");
    const [{ at: _, ...line }] = data.lines;
    assert.deepEqual(line, { number: 1, name: "paid", bytes: 17, from: "api" });
    const before = await audited(ada);
    assert.ok(!before[0].includes("Opened the data"));

    const fields = { ...channel(name), inspection: opened.inspection, number: "1" };
    const answer = await post("/admin/channels/data", fields);
    assert.deepEqual(JSON.parse(answer.text), { data: '{"total":"17.50"}' });
    assert.match(
      (await audited(ada))[0],
      /^Ada Opened the data of an event App Shop &lt;1> · Event paid · Bytes 17 private-paid\.1$/,
    );
    const withoutScript = await post("/admin/channels/data", fields, { accept: "text/html" });
    assert.match(withoutScript.text, /17\.50/);
    const gone = await post("/admin/channels/data", { ...fields, number: "2" });
    assert.deepEqual(JSON.parse(gone.text), { data: null });
    assert.equal((await post("/admin/channels/data", channel(name))).status, 422);
    assert.equal(
      (await audited(ada)).length,
      before.length + 2,
      "what is not shown is not recorded",
    );
  });

  it("that are encrypted show what your server encrypted, and say so", async () => {
    const name = "private-encrypted-chat";
    const path = `/admin/channels/channel?${of(name)}`;
    assert.match((await ada.get(`${path}&record=yes`)).text, /End-to-end encrypted/);
    const port = new URL(server.origin).port;
    const encryptionMasterKeyBase64 = btoa("k".repeat(32));
    const options = { appId: shop.id, ...shop, host: "127.0.0.1", port, encryptionMasterKeyBase64 };
    await new Pusher(options).trigger(name, "message", "a secret word");
    const { inspection }: Inspection = await get(`/admin/channels/events?${of(name)}`);
    const { text } = await post("/admin/channels/data", {
      ...channel(name),
      inspection,
      number: "1",
    }, { accept: "text/html" });
    assert.match(text, /Encrypted by your server[^]*ciphertext/);
    assert.ok(!text.includes("a secret word"));
  });

  it("are recorded for a minute for a page without script", async () => {
    const path = `/admin/channels/channel?${of("orders.1")}`;
    assert.match((await ada.get(path)).text, /Record the events of the next minute/);
    await ada.get(`${path}&record=yes`);
    await post("/admin/channels/channel", { ...channel("orders.1"), event: "note", data: "1" });
    const { text } = await ada.get(path);
    assert.match(text, /<bdi>note<\/bdi>[^]*<bdi>Rollcall<\/bdi>/);
  });

  it("carry a test event to every subscriber, after a question and an entry in the admin log", async () => {
    const fields = { ...channel("orders.1"), event: "order.paid", data: '{"a":1}' };
    const question = await post("/admin/channels/channel", { ...fields, confirmed: "" }, {
      accept: "text/html",
    });
    assert.match(question.text, /Send to orders\.1\?/);
    assert.match(question.text, /name="event" value="order\.paid"/);
    const sent = await post("/admin/channels/channel", fields, { accept: "text/html" });
    assert.equal(sent.status, 303);
    assert.equal(
      sent.headers.get("location"),
      channelPath({ appId: shop.id, name: "orders.1" }, { done: "sent" }),
    );
    assert.deepEqual((await client.client.next("order.paid")).data, { a: 1 });
    assert.match(
      (await audited(ada))[0],
      /^Ada Sent a test event App Shop &lt;1> · Event order\.paid · Bytes 7 orders\.1$/,
      "without its data",
    );
  });

  it("refuse a test event as the HTTP API would, with what was typed, and one to an encrypted channel", async () => {
    const before = await audited(ada);
    const long = "x".repeat(10_241);
    const send = (fields: Record<string, string>) =>
      post(
        "/admin/channels/channel",
        { ...channel("orders.1"), event: "a", data: "{}", ...fields },
        {
          accept: "text/html",
        },
      );
    const tooLong = await send({ data: long });
    assert.equal(tooLong.status, 422);
    assert.match(tooLong.text, /exceeds the allowed maximum/);
    assert.ok(tooLong.text.includes(long));
    assert.equal((await send({ event: "pusher:error" })).status, 422);
    assert.equal((await send({ event: " " })).status, 422);
    assert.equal((await send({ name: "private-encrypted-chat" })).status, 422);
    assert.deepEqual(await audited(ada), before);
  });
});
