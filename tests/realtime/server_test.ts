import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import Echo from "laravel-echo";
import { type AppConfig, RealtimeServer } from "@/realtime/server.ts";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { HttpApi } from "@/realtime/api/http_api.ts";
import { app, type Client, Harness, until } from "./harness.ts";
import { Pusher } from "../fixtures/pusher_js.ts";
import { joined, next, optionsFor } from "./pusher_clients.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";

const other: AppConfig = { id: "2", key: "other-key", secret: "other-secret" };

async function joinedBy(client: Client, channel: string, by: AppConfig = app): Promise<void> {
  client.subscribe(channel, signChannel(by, client.socketId, channel));
  await client.next("pusher_internal:subscription_succeeded");
}

describe("The apps of a server", () => {
  it("share no channel, no signature and no user", async () => {
    await using harness = new Harness({ apps: [app, other] });
    const [ours, theirs] = [await harness.connect(), await harness.connect(other.key)];
    await joinedBy(ours, "private-a");
    theirs.subscribe("private-a", signChannel(app, theirs.socketId, "private-a"));
    assert.match((await theirs.next("pusher:error")).data.message, /^Invalid key/);
    await joinedBy(theirs, "private-a", other);
    harness.app.publish("private-a", "first", {});
    harness.realtime.app("2")?.publish("private-a", "second", {});
    assert.deepEqual((await ours.settled()).map(({ event }) => event), ["first"]);
    assert.equal((await theirs.next("second")).event, "second");
    assert.ok(harness.realtime.app("2")?.connections.claim(theirs.socketId, { userId: "u" }));
    assert.equal(harness.app.connections.closeUser("u"), 0);
    assert.equal(harness.realtime.app("2")?.connections.closeUser("u"), 1);
    await theirs.closed;
    assert.deepEqual(await ours.settled(), []);
  });

  it("close clients with 4003 after pusher:error when they are disabled", async () => {
    await using harness = new Harness({ rules: { enabled: false } });
    const client = harness.open();
    assert.equal((await client.next("pusher:error")).data.code, 4003);
    assert.equal((await client.closed).code, 4003);
  });

  it("that stay when the list is replaced keep their connections and get their new rules", async () => {
    await using harness = new Harness({ apps: [other, app] });
    const client = await harness.connect();
    await client.joined("ann");
    const renewed = { ...app, secret: "rotated", presenceMaxMembers: 1 };
    harness.realtime.replaceApps([renewed]);
    harness.app.publish("presence-room", "still", {});
    assert.deepEqual((await client.settled()).map(({ event }) => event), ["still"]);
    await joinedBy(client, "private-a", renewed);
    const late = await harness.connect();
    const channelData = '{"user_id":"bob"}';
    const auth = signChannel(renewed, late.socketId, "presence-room", channelData);
    late.subscribe("presence-room", auth, channelData);
    assert.match((await late.next("pusher:error")).data.message, /full: 1 members/);
  });

  it("that are gone close their connections with 4001, and disabled ones with 4003", async () => {
    await using harness = new Harness({ apps: [app, other], presenceGraceMs: 60_000 });
    const [kept, gone] = [await harness.member("ann"), await harness.connect(other.key)];
    harness.realtime.replaceApps([app]);
    assert.equal((await gone.next("pusher:error")).data.code, 4001);
    assert.equal((await gone.closed).code, 4001);
    assert.equal((await harness.open(`/app/${other.key}?protocol=7`).closed).code, 4001);
    assert.equal(harness.realtime.app("2"), undefined);
    assert.deepEqual(await kept.settled(), []);
    harness.realtime.replaceApps([{ ...app, enabled: false }]);
    assert.equal((await kept.closed).code, 4003);
    await until(() => harness.realtime.stats().closing === 0);
    for (const [name, size] of harness.sizes) assert.equal(size, 0, name);
  });

  it("are other apps when their key changes", async () => {
    await using harness = new Harness();
    const client = await harness.connect();
    harness.realtime.replaceApps([{ ...app, key: "another" }]);
    assert.equal((await client.closed).code, 4001);
    await harness.connect("another");
  });

  for (
    const [name, apps, fault] of [
      ["no app", [], /no app/],
      ["one id twice", [app, { ...other, id: app.id }], /id 1$/],
      ["one key twice", [app, { ...other, key: app.key }], /key 278d/],
    ] as const
  ) {
    it(`cannot be replaced by a list with ${name}; those before stay`, async () => {
      await using harness = new Harness();
      const client = await harness.connect();
      assert.throws(() => harness.realtime.replaceApps(apps), fault);
      assert.throws(() => new RealtimeServer({ apps: [...apps] }), fault);
      assert.deepEqual(await client.settled(), []);
      await harness.connect();
    });
  }
});

type Member = { id: string };

describe("An official client", () => {
  it("Laravel Echo calls here, joining and leaving", async () => {
    await using harness = new Harness();
    await harness.member("ann");
    const client = new Pusher(app.key, optionsFor(harness, "bob"));
    const echo = new Echo({ broadcaster: "pusher", key: app.key, client });
    const seen: string[] = [];
    echo.join("room")
      .here((members: Member[]) => seen.push(`here ${members.map(({ id }) => id)}`))
      .joining(({ id }: Member) => seen.push(`joining ${id}`))
      .leaving(({ id }: Member) => seen.push(`leaving ${id}`));
    await until(() => seen.length === 1);
    const eve = await harness.member("eve");
    const tab = await harness.member("eve");
    await until(() => seen.length === 2);
    eve.close();
    tab.close();
    await until(() => seen.length === 3);
    assert.deepEqual(seen, ["here ann,bob", "joining eve", "leaving eve"]);
    echo.disconnect();
    await until(() => harness.realtime.stats().connections === 1);
  });

  it("pusher-js has the count of the server, signs in, and receives events", async () => {
    await using harness = new Harness();
    await harness.member("ann");
    const pusher = new Pusher(app.key, optionsFor(harness, "__proto__"));
    const room = pusher.subscribe("presence-room");
    const events: unknown[] = [];
    room.bind("update", (data: unknown) => events.push(data));
    await joined(room);
    assert.equal("members" in room && (room.members as { count: number }).count, 2);
    pusher.signin();
    await until(() => harness.realtime.stats().channels === 2);
    harness.app.publish("presence-room", "update", { text: "hello" });
    await until(() => events.length === 1);
    assert.deepEqual(events, [{ text: "hello" }]);
    pusher.disconnect();
    await until(() => harness.realtime.stats().connections === 1);
  });

  it("pusher-js calls the subscription_error handler of a refused channel", async () => {
    await using harness = new Harness();
    const pusher = new Pusher(app.key, optionsFor(harness, "bob", { signs: false }));
    const room = pusher.subscribe("presence-room");
    const error = await next<{ status: number; type: string }>(room, "pusher:subscription_error");
    assert.deepEqual([error.type, error.status], ["AuthError", 401]);
    pusher.disconnect();
    await until(() => harness.realtime.stats().connections === 0);
  });

  it("pusher-js connects and subscribes again after 4200", async () => {
    await using harness = new Harness({ presenceGraceMs: 60_000 });
    const ann = await harness.member("ann");
    const pusher = new Pusher(app.key, optionsFor(harness, "bob"));
    const room = pusher.subscribe("presence-room");
    await joined(room);
    const back = joined(room);
    assert.equal(harness.app.connections.closeUser("bob", { code: 4200, reason: "Again" }), 1);
    await back;
    assert.deepEqual(harness.app.presence.of("presence-room").userIds, ["ann", "bob"]);
    await ann.settled();
    pusher.disconnect();
    await until(() => harness.realtime.stats().connections === 1);
  });
});

/** Serves calls and sockets, whatever the address of the request. */
class HarnessOfBoth extends Harness {
  readonly api = new HttpApi({
    appOf: (id) => this.realtime.appApi(id),
    log: (entry) => this.logged.push(entry),
  });

  override answer(request: Request): Response | Promise<Response> {
    return request.headers.has("upgrade") ? super.answer(request) : this.api.answer(request);
  }
}

/** The answer to a request with a malformed host, up to the text that is searched for. */
async function answerTo(harness: Harness, lines: string[], end: RegExp): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: harness.port });
  const request = [...lines, "Host: [::1", "", ""].join("\r\n");
  await connection.write(new TextEncoder().encode(request));
  const chunk = new Uint8Array(4_096);
  let answer = "";
  while (!end.test(answer)) {
    const length = await withTimeout(connection.read(chunk), "the answer had come");
    if (length === null) break;
    answer += new TextDecoder().decode(chunk.subarray(0, length));
  }
  return answer;
}

describe("A malformed Host header", () => {
  it("of a call gets 400, and is no error of the server", async () => {
    await using harness = new HarnessOfBoth();
    const answer = await answerTo(harness, ["GET /apps/1/channels HTTP/1.1"], /\r\n\r\n.+/s);
    assert.match(answer, /^HTTP\/1\.1 400 .*"reason":"bad_request"/s);
    assert.deepEqual(harness.logged, []);
  });

  it("of a socket gets close code 4005", async () => {
    await using harness = new HarnessOfBoth();
    const upgrade = [
      `GET /app/${app.key}?protocol=7 HTTP/1.1`,
      "Upgrade: websocket",
      "Connection: Upgrade",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Version: 13",
    ];
    const answer = await answerTo(harness, upgrade, /4005|HTTP\/1\.1 [2-5]/);
    assert.match(answer, /^HTTP\/1\.1 101 .*"message":"Path not found","code":4005/s);
    assert.deepEqual(harness.logged, []);
  });
});
