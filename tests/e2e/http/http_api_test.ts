import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import PusherServer from "pusher";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { clientOf, heard } from "../../realtime/pusher_clients.ts";
import { app, Client, until } from "../../realtime/harness.ts";
import { reservePort } from "../../fixtures/reserved_port.ts";
import { Receiver } from "../../realtime/webhooks/harness.ts";

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

/** Starts a server whose webhooks go to a {@link Receiver} at a port. */
function start(receiverPort: number, dataFolder?: string): Promise<Rollcall> {
  const environment = {
    PUSHER_APP_ID: app.id,
    PUSHER_APP_KEY: app.key,
    PUSHER_APP_SECRET: app.secret,
    WEBHOOK_URL: Receiver.url(receiverPort),
    DRAIN_MS: "0",
  };
  return Rollcall.start(environment, dataFolder);
}

/** A client in a public channel. */
async function visitor(server: Rollcall, channel: string): Promise<Client> {
  const address = server.origin.replace(/^http/, "ws");
  const client = new Client(new WebSocket(`${address}/app/${app.key}?protocol=7`));
  await client.next("pusher:connection_established");
  client.subscribe(channel);
  await client.next("pusher_internal:subscription_succeeded");
  return client;
}

/** How much the database keeps. */
function kept({ dataFolder }: Rollcall): number {
  const database = new DatabaseSync(join(dataFolder, "rollcall.sqlite"), { timeout: 60_000 });
  try {
    return database.prepare('select id from "undeliveredWebhook"').all().length;
  } finally {
    database.close();
  }
}

describe("webhooks of the app", () => {
  it("survive a SIGKILL while their receiver is down", async () => {
    const port = await reservePort();
    const killed = await start(port);
    const client = await visitor(killed, "news");
    await until(() => kept(killed) === 1);
    killed.signal("SIGKILL");
    await killed.ended();
    await client.closed;
    assert.doesNotMatch(killed.log, /address-secret/);
    await using receiver = new Receiver(port);
    await using server = await start(port, killed.dataFolder);
    await until(() => receiver.events().length === 1);
    assert.deepEqual(receiver.events(), [{ name: "channel_occupied", channel: "news" }]);
    await until(() => kept(server) === 0);
  });

  it("survive a stop, and report no departure that the stop caused", async () => {
    const port = await reservePort();
    const stopped = await start(port);
    const clients = [await visitor(stopped, "stays"), await visitor(stopped, "goes")];
    assert.equal((await stopped.stop()).code, 0);
    for (const client of clients) await client.closed;
    await using receiver = new Receiver(port);
    await using server = await start(port, stopped.dataFolder);
    const back = await visitor(server, "stays");
    const other = await visitor(server, "new");
    await until(() => receiver.events().length === 3);
    assert.deepEqual(receiver.events(), [
      { name: "channel_occupied", channel: "stays" },
      { name: "channel_occupied", channel: "goes" },
      { name: "channel_occupied", channel: "new" },
    ]);
    for (const client of [back, other]) {
      client.close();
      await client.closed;
    }
  });
});
