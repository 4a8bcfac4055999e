import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import PusherServer from "pusher";
import type { AppConfig } from "@/realtime/server.ts";
import { signChannel, verifyChannel } from "@/realtime/protocol/signature.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { Client, until } from "../../realtime/harness.ts";
import { Pusher } from "../../fixtures/pusher_js.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

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

/** A server whose apps are in a file. */
export class ListedApps implements AsyncDisposable {
  private constructor(readonly server: Rollcall, readonly path: string) {}

  static async start(apps: object[], entry?: string): Promise<ListedApps> {
    const folder = await Deno.makeTempDir({ prefix: "rollcall-" });
    const path = `${folder}/apps.json`;
    await Deno.writeTextFile(path, JSON.stringify(apps));
    const environment = { APPS_FILE: path, ADMIT_GUESTS: "true", DRAIN_MS: "0" };
    const server = await Rollcall.start(environment, folder, entry);
    return new ListedApps(server, path);
  }

  /** Replaces the file, signals the server, and waits until it has printed the outcome. */
  async reload(content: object[] | string, printed: RegExp): Promise<string> {
    const before = this.server.log.length;
    const text = typeof content === "string" ? content : JSON.stringify(content);
    await Deno.writeTextFile(this.path, text);
    this.server.signal("SIGHUP");
    await until(() => printed.test(this.server.log.slice(before)));
    return this.server.log.slice(before);
  }

  get port(): number {
    return Number(new URL(this.server.origin).port);
  }

  /** A pusher-js client of an app; its auth route signs with the app's current secret. */
  client(app: AppConfig): PusherClient {
    return new PusherClient(app, this.port);
  }

  /** A bare client of an app: pusher-js leaks a timer when it is closed for good. */
  bareClient(app: AppConfig): Client {
    return new Client(new WebSocket(`ws://127.0.0.1:${this.port}/app/${app.key}?protocol=7`));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }
}

/** A pusher-js client and the events of its connection. */
export class PusherClient implements Disposable {
  readonly pusher: Pusher;
  readonly states: string[] = [];
  readonly errors: string[] = [];

  constructor(app: AppConfig, port: number) {
    this.pusher = new Pusher(app.key, {
      cluster: "self",
      wsHost: "127.0.0.1",
      wsPort: port,
      forceTLS: false,
      enabledTransports: ["ws"],
      disableStats: true,
      channelAuthorization: {
        transport: "ajax",
        endpoint: "",
        customHandler: ({ socketId, channelName }, answer) =>
          answer(null, { auth: signChannel(app, socketId, channelName) }),
      },
    });
    const { connection } = this.pusher;
    connection.bind("state_change", ({ current }: { current: string }) => {
      this.states.push(current);
    });
    connection.bind("error", ({ data }: { data?: { message: string } }) => {
      if (data) this.errors.push(data.message);
    });
  }

  async connected(): Promise<this> {
    await until(() => this.pusher.connection.state === "connected");
    return this;
  }

  /** Joins a channel; true when the server accepted the signature. */
  async joins(channel: string): Promise<boolean> {
    const errors = this.errors.length;
    let joined = false;
    this.pusher.subscribe(channel).bind("pusher:subscription_succeeded", () => joined = true);
    await until(() => joined || this.errors.length > errors);
    return joined;
  }

  [Symbol.dispose](): void {
    this.pusher.disconnect();
  }
}
