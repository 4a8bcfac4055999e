import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import PusherServer from "pusher";
import type { AppConfig } from "@/realtime/server.ts";
import { verifyChannel } from "@/realtime/protocol/signature.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ListedApps } from "../../fixtures/listed_apps.ts";
import { until } from "../../realtime/harness.ts";

const own: AppConfig = { id: "own", key: "own-app-key", secret: "the-secret-of-our-pages" };
const shop: AppConfig = { id: "shop", key: "shop-app-key", secret: "the-secret-of-the-shop" };
const chat: AppConfig = { id: "chat", key: "chat-app-key", secret: "the-secret-of-the-chat" };

const again = /Apps reloaded/;

describe("SIGHUP", () => {
  it("keeps connections, serves new apps, and closes connections of removed apps with 4001", async () => {
    await using listed = await ListedApps.start([own, shop]);
    using kept = await listed.client(own).connected();
    const gone = listed.bareClient(shop);
    await gone.next("pusher:connection_established");
    const socketId = kept.pusher.connection.socket_id;
    assert.ok(await kept.joins("private-before"));
    await listed.reload([chat, own], again);
    using added = await listed.client(chat).connected();
    assert.ok(await added.joins("private-a"));
    assert.equal((await gone.next("pusher:error")).data.code, 4001);
    assert.equal((await gone.closed).code, 4001);
    let heard = 0;
    kept.pusher.bind("still", () => heard++);
    const { id: appId, key, secret } = own;
    const port = String(listed.port);
    const library = new PusherServer({ appId, key, secret, host: "127.0.0.1", port });
    await (await library.trigger("private-before", "still", {})).text();
    await until(() => heard === 1);
    assert.deepEqual(kept.states, ["connected"]);
    assert.equal(kept.pusher.connection.socket_id, socketId);
  });

  it("applies a new secret to the next signature, of clients and of the own pages", async () => {
    await using listed = await ListedApps.start([own]);
    const renewed = { ...own, secret: "another-secret-of-our-pages" };
    using old = await listed.client(own).connected();
    using current = await listed.client(renewed).connected();
    assert.deepEqual([await old.joins("private-a"), await current.joins("private-a")], [
      true,
      false,
    ]);
    await listed.reload([renewed], again);
    assert.deepEqual([await old.joins("private-b"), await current.joins("private-b")], [
      false,
      true,
    ]);
    assert.deepEqual([old.states, current.states], [["connected"], ["connected"]]);
    assert.match(current.errors[0], /^Invalid signature/);
    const { auth, data } = await signedByPages(listed);
    assert.ok(verifyChannel(renewed, auth, "1.2", "presence-chart", data).ok);
  });

  it("changes nothing for an invalid file, and logs a line for each fault", async () => {
    await using listed = await ListedApps.start([own, shop]);
    using client = await listed.client(shop).connected();
    const hidden = "hunter2";
    const log = await listed.reload(
      [own, { ...shop, secret: hidden, max_conections: 1 }],
      /max_conections \(app shop\): is not a known field/,
    );
    assert.match(log, /Apps not reloaded/);
    assert.match(
      log,
      /APPS_FILE: \[1\]\.secret \(app shop\): \(secret, not shown\) is not allowed/,
    );
    await listed.reload("[", /APPS_FILE: is not JSON/);
    await listed.reload(
      [shop],
      /APPS_FILE: app own was removed; expected it to stay until a restart/,
    );
    await Deno.remove(listed.path);
    listed.server.signal("SIGHUP");
    await listed.server.printed(/APPS_FILE: .* expected a readable file/);
    using another = await listed.client(shop).connected();
    assert.ok(await client.joins("private-a"));
    assert.ok(await another.joins("private-a"));
    assert.deepEqual(client.states, ["connected"]);
    assert.ok(!listed.server.log.includes(hidden));
  });

  it("serves the apps of the last file after many at once", async () => {
    await using listed = await ListedApps.start([own]);
    using client = await listed.client(own).connected();
    for (let round = 0; round < 20; round++) {
      await Deno.writeTextFile(listed.path, JSON.stringify(round % 2 ? [own] : [own, shop]));
      listed.server.signal("SIGHUP");
    }
    await listed.reload([own, chat], /apps=2 added=\[chat\]/);
    using added = await listed.client(chat).connected();
    assert.ok(await added.joins("private-a"));
    assert.deepEqual(client.states, ["connected"]);
    assert.equal((await listed.bareClient(shop).closed).code, 4001);
  });

  it("reloads the apps of the development server, too", async () => {
    await using listed = await ListedApps.start([own], "tools/start.ts");
    using client = await listed.client(own).connected();
    await listed.reload([own, chat], again);
    using added = await listed.client(chat).connected();
    assert.ok(await added.joins("private-a"));
    assert.deepEqual(client.states, ["connected"]);
  });
});

/** What the auth route of Rollcall's own pages signs for a guest. */
async function signedByPages({ server }: ListedApps): Promise<{ auth: string; data: string }> {
  const guest = new HttpVisitor(server.origin);
  await guest.get("/");
  const fields = { socket_id: "1.2", channel_name: "presence-chart" };
  const { auth, channel_data: data } = JSON.parse(
    (await guest.submit("/broadcasting/auth", fields)).text,
  );
  return { auth, data };
}
