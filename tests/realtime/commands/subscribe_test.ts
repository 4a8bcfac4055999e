import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { signChannel, signUser } from "@/realtime/protocol/signature.ts";
import type { AppRules } from "@/realtime/app_config.ts";
import { app, type Client, Harness, type Received } from "../harness.ts";

interface Row {
  name: string;
  act: (client: Client) => void | Promise<void>;
  message: RegExp;
  /** The `pusher:subscription_error` that follows, if one does. */
  type?: "AuthError" | "LimitReached";
}

const forged = `${app.key}:${"a".repeat(64)}`;

const rows: Row[] = [
  {
    name: "a private channel without auth",
    act: (client) => client.subscribe("private-a"),
    message: /^Invalid key in subscription auth data: ''$/,
    type: "AuthError",
  },
  {
    name: "another app's key",
    act: (client) => client.subscribe("private-a", "other:abc"),
    message: /^Invalid key in subscription auth data: 'other'$/,
    type: "AuthError",
  },
  {
    name: "a forged signature",
    act: (client) => client.subscribe("private-a", forged),
    message:
      /^Invalid signature: Expected HMAC SHA256 hex digest of \d+\.\d+:private-a, but got a{64}$/,
    type: "AuthError",
  },
  {
    name: "a signature for another socket",
    act: (client) => client.subscribe("private-a", signChannel(app, "1.2", "private-a")),
    message: /^Invalid signature/,
    type: "AuthError",
  },
  {
    name: "a presence channel without channel_data",
    act: (client) => client.subscribe("presence-a", sign(client, "presence-a")),
    message: /channel_data/,
    type: "AuthError",
  },
  ...[
    "",
    "null",
    "[]",
    "{}",
    '{"user_id":""}',
    '{"user_id":{}}',
    '{"user_id":1.5}',
    '{"user_id":9007199254740993}',
  ].map(
    (data): Row => ({
      name: `channel_data ${data || "(empty)"}`,
      act: (client) => client.subscribe("presence-a", sign(client, "presence-a", data), data),
      message: /^Invalid channel_data/,
      type: "AuthError",
    }),
  ),
  {
    name: "a user id too long",
    act: (client) => client.joinAs("x".repeat(129)),
    message: /^Invalid channel_data/,
    type: "AuthError",
  },
  {
    name: "user_info too large",
    act: (client) => client.joinAs("u", "presence-a", "x".repeat(3_000)),
    message: /user_info is over the limit/,
    type: "AuthError",
  },
  {
    name: "another user's server events",
    act: (client) => client.subscribe("#server-to-user-1"),
    message: /^Only its user/,
    type: "AuthError",
  },
  {
    name: "too many channels",
    act: (client) => ["a", "b", "c", "d"].forEach((name) => client.subscribe(name)),
    message: /3 channels/,
    type: "LimitReached",
  },
  {
    name: "a second subscription",
    act: (client) => (client.subscribe("a"), client.subscribe("a")),
    message: /^Existing subscription to channel a$/,
  },
  {
    name: "unsubscribing from an unknown channel",
    act: (client) => client.send("pusher:unsubscribe", { channel: "a" }),
    message: /^No current subscription to channel a, or subscription in progress$/,
  },
  ...["", "a".repeat(165), "a b", "a/b", "ä", "#other", "#server-to-user-"].map((channel): Row => ({
    name: `the channel name ${channel.slice(0, 10) || "(empty)"}`,
    act: (client) => client.subscribe(channel),
    message: /^Invalid subscription at channel/,
  })),
];

function sign({ socketId }: Client, channel: string, data?: string): string {
  return signChannel(app, socketId, channel, data);
}

function checkSubscriptionError(
  frame: Received | undefined,
  type: Row["type"],
  error: string,
): void {
  if (!type) return assert.equal(frame, undefined);
  assert.equal(frame?.event, "pusher:subscription_error");
  assert.ok(frame?.channel);
  assert.deepEqual(frame?.data, { type, error, status: type === "AuthError" ? 401 : 4004 });
}

describe("pusher:subscribe", () => {
  for (const { name, act, message, type } of rows) {
    it(`${name}: an error with code null, and the connection stays open`, async () => {
      await using harness = new Harness({ maxSubscriptionsPerConnection: 3 });
      const client = await harness.connect();
      await act(client);
      const frames = (await client.settled()).filter(({ event }) => event.startsWith("pusher:"));
      assert.equal(frames[0].event, "pusher:error");
      assert.equal(frames[0].data.code, null);
      assert.match(frames[0].data.message, message);
      checkSubscriptionError(frames[1], type, frames[0].data.message);
      assert.equal(frames.length, type ? 2 : 1);
    });
  }

  it("to a public or private channel succeeds with empty data", async () => {
    await using harness = new Harness();
    const client = await harness.connect();
    client.subscribe("news", "");
    client.subscribe("private-a", sign(client, "private-a"));
    client.subscribe("private-b", sign(client, "private-b", "{}"), "{}");
    const succeeded = "pusher_internal:subscription_succeeded";
    assert.deepEqual(await client.settled(), [
      { event: succeeded, channel: "news", data: {} },
      { event: succeeded, channel: "private-a", data: {} },
      { event: succeeded, channel: "private-b", data: {} },
    ]);
  });

  it("takes a channel name of 164 characters", async () => {
    await using harness = new Harness();
    const client = await harness.connect();
    client.subscribe("a".repeat(164));
    await client.next("pusher_internal:subscription_succeeded");
  });

  it("takes the names of Object's properties for channels like any other", async () => {
    await using harness = new Harness();
    const client = await harness.connect();
    for (const name of ["__proto__", "constructor", "toString"]) {
      client.subscribe(name);
      assert.equal((await client.settled())[0].event, "pusher_internal:subscription_succeeded");
      client.send("pusher:unsubscribe", { channel: name });
      assert.deepEqual(await client.settled(), []);
    }
    assert.equal(harness.realtime.stats().channels, 0);
  });

  it("followed at once by pusher:unsubscribe leaves nothing in memory", async () => {
    await using harness = new Harness({ presenceGraceMs: 60_000 });
    const client = await harness.connect();
    client.joinAs("u");
    client.send("pusher:unsubscribe", { channel: "presence-room" });
    await client.settled();
    assert.equal(harness.realtime.stats().channels, 0);
    assert.equal((await client.joined("u")).data.presence.count, 1);
  });

  it("delivers a published event to every subscriber except the excluded one", async () => {
    await using harness = new Harness();
    const [one, other] = [await harness.connect(), await harness.connect()];
    one.subscribe("news");
    other.subscribe("news");
    await Promise.all([one.settled(), other.settled()]);
    harness.app.publish("news", "update", { text: "hé" }, other.socketId);
    harness.app.publish("news", "plain", "text");
    harness.app.publish("nobody", "update", {});
    const plain = { event: "plain", channel: "news", data: "text" };
    const update = { event: "update", channel: "news", data: { text: "hé" } };
    assert.deepEqual(await one.settled(), [update, plain]);
    assert.deepEqual(await other.settled(), [plain]);
  });
});

const room = "presence-room";

/** What is in the signed data of a member, and under which rule, and whether it is quiet. */
const flagRows: [name: string, signed: object, quietChannels: string[], isQuiet: boolean][] = [
  ["no flag", {}, [], false],
  ["true beside user_info", { rollcall: { quiet: true } }, [], true],
  ["true in user_info", { user_info: { rollcall: { quiet: true } } }, [], true],
  [
    "false beside, and true in user_info",
    { rollcall: { quiet: false }, user_info: { rollcall: { quiet: true } } },
    [],
    false,
  ],
  ["null, as PHP sends it", { rollcall: { quiet: null } }, [], false],
  ["true outside of the reserved key", { quiet: true, user_info: { quiet: true } }, [], false],
  ["no flag, in a channel with a rule", {}, ["presence-room"], true],
  ["no flag, in a channel that a pattern names", {}, ["presence-a", "presence-*om"], true],
  ["no flag, where * would stand for less than nothing", {}, ["presence-room*-room"], false],
  ["no flag, in a channel other than the rule's", {}, ["presence-roo", "*x"], false],
  ["false, in a channel with a rule", { rollcall: { quiet: false } }, ["*"], false],
  ["null, in a channel with a rule", { rollcall: { quiet: null, name: "Ann" } }, ["*"], true],
  ["an observer, in a channel with a rule", { rollcall: { observe: true } }, ["*"], false],
];

/** Subscribes with data that is signed, or with a signature of other data. */
function subscribe(client: Client, data: string, signedData = data): void {
  client.subscribe(room, signChannel(app, client.socketId, room, signedData), data);
}

/** A server with a client, and the number of its quiet connections. */
async function harnessOf(rules: Partial<AppRules>) {
  const harness = new Harness({ rules });
  return {
    client: await harness.connect(),
    get quiet() {
      return harness.realtime.stats().quiet;
    },
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
  };
}

describe("the flag of a quiet member", () => {
  for (const [name, signed, quietChannels, isQuiet] of flagRows) {
    it(`${name}: ${isQuiet ? "is sent the number" : "is sent the list"}`, async () => {
      await using harness = await harnessOf({ quietChannels });
      subscribe(harness.client, JSON.stringify({ user_id: "ann", ...signed }));
      await harness.client.next("pusher_internal:subscription_succeeded");
      assert.equal(harness.quiet, isQuiet ? 1 : 0);
      if (isQuiet) assert.equal((await harness.client.next("rollcall:count")).data.users, 1);
    });
  }

  it("is taken from the data that the connection signed in with", async () => {
    await using harness = await harnessOf({});
    const { client } = harness;
    const user_data = JSON.stringify({ id: "ann", rollcall: { quiet: true } });
    client.send("pusher:signin", { auth: signUser(app, client.socketId, user_data), user_data });
    client.subscribe(room, signChannel(app, client.socketId, room));
    assert.deepEqual((await client.next("rollcall:count")).data.users, 1);
  });

  it("is refused with the whole subscription when the client changed it after it was signed", async () => {
    await using harness = await harnessOf({ quietChannels: ["*"] });
    const changed = JSON.stringify({ user_id: "ann", rollcall: { quiet: false } });
    subscribe(harness.client, changed, JSON.stringify({ user_id: "ann" }));
    const { data } = await harness.client.next("pusher:subscription_error");
    assert.deepEqual([data.type, data.status], ["AuthError", 401]);
    assert.deepEqual(await harness.client.settled(), []);
  });

  it("is not believed beside the signed data in the frame, nor in a later frame", async () => {
    await using harness = await harnessOf({});
    const { client } = harness;
    const channel_data = '{"user_id":"ann"}';
    const auth = signChannel(app, client.socketId, room, channel_data);
    const flag = { quiet: true, rollcall: { quiet: true } };
    client.send("pusher:subscribe", { channel: room, auth, channel_data, ...flag });
    client.send("pusher:ping", flag);
    await client.next("pusher_internal:subscription_succeeded");
    await client.settled();
    assert.equal(harness.quiet, 0);
  });

  it("that is no boolean is refused", async () => {
    await using harness = await harnessOf({});
    subscribe(harness.client, JSON.stringify({ user_id: "ann", rollcall: { quiet: "yes" } }));
    const { data } = await harness.client.next("pusher:subscription_error");
    assert.match(data.error, /rollcall\.quiet/);
  });
});
