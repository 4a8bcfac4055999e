import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import PusherServer from "pusher";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { clientOf, heard } from "../../realtime/api/clients.ts";
import { app, until } from "../../realtime/harness.ts";

describe("the HTTP API of the app", () => {
  let server: Rollcall;
  let library: PusherServer;
  let port: number;

  beforeAll(async () => {
    server = await Rollcall.start({
      PUSHER_APP_ID: app.id,
      PUSHER_APP_KEY: app.key,
      PUSHER_APP_SECRET: app.secret,
    });
    port = Number(new URL(server.origin).port);
    const { id: appId, key, secret } = app;
    library = new PusherServer({ appId, key, secret, host: "127.0.0.1", port: String(port) });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("delivers what the official library triggers", async () => {
    await using client = clientOf({ port }, "bob");
    const events = await heard(client, ["news"]);
    const response = await library.trigger("news", "update", { text: "hello" });
    assert.deepEqual(await response.json(), {});
    await until(() => events.length === 1);
    assert.deepEqual(events, [{ channel: "news", event: "update", data: { text: "hello" } }]);
    const list = await library.get({ path: "/channels" });
    assert.deepEqual(await list.json(), { channels: { news: {} } });
  });

  it("sets no cookie, needs no CSRF token and answers JSON", async () => {
    for (const path of ["/apps/1/events", "/apps/none/events", "/apps/1/nothing", "/apps/"]) {
      const response = await fetch(server.origin + path, { method: "POST", body: "{}" });
      assert.ok([401, 404].includes(response.status), `${path}: ${response.status}`);
      assert.equal(response.headers.get("set-cookie"), null);
      assert.equal(response.headers.get("content-type"), "application/json");
      assert.equal(typeof (await response.json()).reason, "string");
    }
  });

  it("accepts a call through a proxy that prefixes the path", async () => {
    const query = library.createSignedQueryString({
      method: "GET",
      path: "/apps/1/channels",
      params: {},
    });
    const response = await fetch(`${server.origin}/realtime/apps/1/channels?${query}`);
    assert.equal(response.status, 200);
    assert.deepEqual(Object.keys(await response.json()), ["channels"]);
  });
});
