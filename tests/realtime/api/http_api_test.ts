import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, it } from "@std/testing/bdd";
import PusherServer from "pusher";
import { signUser } from "@/realtime/protocol/signature.ts";
import { cacheMs } from "@/realtime/brokers/event_cache.ts";
import { showChannel } from "@/realtime/api/channel_attributes.ts";
import { clientOf, heard } from "../pusher_clients.ts";
import { app, until } from "../harness.ts";
import { ApiHarness, type CallOptions, written } from "./harness.ts";
import { ManualClock } from "../manual_clock.ts";

/** The body of an answer; the library throws unless its status is a success. */
async function bodyOf(response: Promise<{ json(): Promise<unknown> }>): Promise<unknown> {
  return await (await response).json();
}

/** User ids, and how a caller of the library writes them: it puts them into the path as they are. */
const userIds = [
  ["bob", "bob"],
  ["bob smith", "bob smith"],
  ["bób+é", "bób+é"],
  ["50% & more/?", "50%25%20%26%20more%2F%3F"],
];

describe("The HTTP API, called by the official library", () => {
  it("delivers a triggered event to pusher-js", async () => {
    await using harness = new ApiHarness();
    const library = harness.library();
    await using client = clientOf(harness, "bob");
    const events = await heard(client, ["news", "private-news", "presence-room"]);
    const channels = ["news", "private-news", "presence-room", "empty"];
    const data = { text: "hé 💚", list: [1, null] };
    assert.deepEqual(await bodyOf(library.trigger(channels, "update", data)), {});
    await until(() => events.length === 3);
    assert.deepEqual(events, [
      { channel: "news", event: "update", data },
      { channel: "private-news", event: "update", data },
      { channel: "presence-room", event: "update", data },
    ]);
  });

  it("does not deliver an event to the socket that is excluded", async () => {
    await using harness = new ApiHarness();
    await using sender = clientOf(harness, "ann");
    await using other = clientOf(harness, "bob");
    const bySender = await heard(sender, ["news"]);
    const byOther = await heard(other, ["news"]);
    const socket_id = sender.connection.socket_id;
    await harness.library().trigger("news", "first", {}, { socket_id });
    await harness.library().trigger("news", "second", {});
    await until(() => byOther.length === 2 && bySender.length === 1);
    assert.deepEqual(bySender.map(({ event }) => event), ["second"]);
  });

  it("returns the attributes of its channels that a trigger asks for", async () => {
    await using harness = new ApiHarness();
    await harness.member("ann");
    await harness.member("ann");
    await harness.member("bob");
    const channels = ["presence-room", "presence-none", "news", "__proto__"];
    const answer = await bodyOf(
      harness.library().trigger(channels, "e", "", { info: "user_count,subscription_count" }),
    );
    assert.deepEqual(JSON.parse(JSON.stringify(answer)), {
      channels: JSON.parse(
        `{"presence-room": {"user_count":2,"subscription_count":3},
        "presence-none": {"user_count":0,"subscription_count":0},
        "news": {"subscription_count":0},
        "__proto__": {"subscription_count":0}}`,
      ),
    });
  });

  it("sends the events of a batch in order and answers in order", async () => {
    await using harness = new ApiHarness();
    await using client = clientOf(harness, "bob");
    const events = await heard(client, ["one", "presence-two"]);
    const batch = [
      { channel: "presence-two", name: "a", data: { n: 1 }, info: "user_count" },
      { channel: "one", name: "b", data: "text" },
      { channel: "one", name: "c", data: [3], info: "subscription_count" },
    ];
    assert.deepEqual(await bodyOf(harness.library().triggerBatch(batch)), {
      batch: [{ user_count: 1 }, {}, { subscription_count: 1 }],
    });
    await until(() => events.length === 3);
    assert.deepEqual(events.map(({ event, data }) => [event, data]), [
      ["a", { n: 1 }],
      ["b", "text"],
      ["c", [3]],
    ]);
    const plain = [{ channel: "one", name: "d", data: "" }];
    assert.deepEqual(await bodyOf(harness.library().triggerBatch(plain)), {});
  });

  it("lists the occupied channels with a prefix, with the attributes asked for", async () => {
    await using harness = new ApiHarness();
    const list = (params: Record<string, string>) =>
      bodyOf(harness.library().get({ path: "/channels", params }));
    assert.deepEqual(await list({}), { channels: {} });
    await harness.member("ann");
    await harness.member("bob");
    await harness.member("ann", "presence-hall");
    const client = await harness.connect();
    client.subscribe("not-presence-hall");
    await client.settled();
    assert.deepEqual(await list({}), {
      channels: { "presence-room": {}, "presence-hall": {}, "not-presence-hall": {} },
    });
    assert.deepEqual(await list({ filter_by_prefix: "presence-", info: "user_count" }), {
      channels: { "presence-room": { user_count: 2 }, "presence-hall": { user_count: 1 } },
    });
    assert.deepEqual(
      await list({ filter_by_prefix: "presence-h", info: "user_count,subscription_count" }),
      { channels: { "presence-hall": { user_count: 1, subscription_count: 1 } } },
    );
    assert.deepEqual(await list({ filter_by_prefix: "private-" }), { channels: {} });
  });

  it("counts a subscription for a user in its leave grace, as its channel is occupied", async () => {
    await using harness = new ApiHarness({ presenceGraceMs: 60_000 });
    const client = await harness.member("ann");
    client.close();
    await until(() => harness.realtime.stats().leaving === 1);
    const params = { filter_by_prefix: "presence-", info: "user_count,subscription_count" };
    assert.deepEqual(await bodyOf(harness.library().get({ path: "/channels", params })), {
      channels: { "presence-room": { user_count: 1, subscription_count: 1 } },
    });
  });

  it("returns whether a channel is occupied, and its users", async () => {
    await using harness = new ApiHarness();
    const get = (path: string, info?: string) =>
      bodyOf(harness.library().get({ path, params: info ? { info } : {} }));
    await harness.member(10);
    await harness.member("a b/é&=%");
    const path = "/channels/presence-room";
    assert.deepEqual(await get(path), { occupied: true });
    const counts = { occupied: true, user_count: 2, subscription_count: 2 };
    assert.deepEqual(await get(path, "user_count,subscription_count,cache"), counts);
    assert.deepEqual(await get(path, " user_count , subscription_count,"), counts);
    assert.deepEqual(await get("/channels/presence-none", "user_count"), {
      occupied: false,
      user_count: 0,
    });
    assert.deepEqual(await get("/channels/a=b@c,d.e;f"), { occupied: false });
    assert.deepEqual(await get(`${path}/users`), { users: [{ id: "10" }, { id: "a b/é&=%" }] });
    assert.deepEqual(await get("/channels/presence-none/users"), { users: [] });
  });

  it("returns each user with what the other members know of it, where that is asked for", async () => {
    await using harness = new ApiHarness();
    const ann = await harness.connect();
    ann.joinAs("ann", "presence-room", { name: "Ann", rollcall: { name: "for-admins-only" } });
    await ann.next("pusher_internal:subscription_succeeded");
    await harness.member("bob");
    const list = (params: Record<string, string>) =>
      bodyOf(harness.library().get({ path: "/channels/presence-room/users", params }));
    const ids = { users: [{ id: "ann" }, { id: "bob" }] };
    assert.deepEqual(await list({ with_user_info: "1" }), {
      users: [{ id: "ann", user_info: { name: "Ann" } }, { id: "bob", user_info: { id: "bob" } }],
    });
    for (const value of ["0", "", "true"]) {
      assert.deepEqual(await list({ with_user_info: value }), ids);
    }
  });

  it("delivers an event for a user to every connection that signed in as it", async () => {
    await using harness = new ApiHarness();
    await using one = clientOf(harness, "bob smith");
    await using two = clientOf(harness, "bob smith");
    await using other = clientOf(harness, "eve");
    const events: string[] = [];
    for (const client of [one, two, other]) {
      client.signin();
      client.user.bind(
        "mail",
        (data: string) => events.push(`${client.user.user_data.id} ${data}`),
      );
    }
    await until(() => harness.realtime.stats().subscriptions === 3);
    await harness.library().sendToUser("eve", "mail", "first");
    await harness.library().sendToUser("bob smith", "mail", "second");
    await until(() => events.length === 3);
    assert.deepEqual(events, ["eve first", "bob smith second", "bob smith second"]);
    assert.deepEqual(await bodyOf(harness.library().get({ path: "/channels" })), { channels: {} });
  });

  for (const [userId, asWritten] of userIds) {
    const name = JSON.stringify(userId);
    it(`terminates only the connections that signed in or joined as ${name}`, async () => {
      await using harness = new ApiHarness();
      const member = await harness.member(userId);
      const signedIn = await harness.connect();
      const user_data = JSON.stringify({ id: userId });
      const auth = signUser(app, signedIn.socketId, user_data);
      signedIn.send("pusher:signin", { auth, user_data });
      await signedIn.next("pusher:signin_success");
      await using other = clientOf(harness, "eve");
      other.signin();
      await until(() => harness.realtime.stats().subscriptions === 2);
      const terminated = harness.library().terminateUserConnections(asWritten);
      assert.deepEqual(await bodyOf(terminated), {});
      assert.equal((await signedIn.next("pusher:error")).data.code, 4009);
      for (const { closed } of [signedIn, member]) assert.equal((await closed).code, 4009);
      assert.equal(other.connection.state, "connected");
    });
  }

  it("relays encrypted events unchanged", async () => {
    await using harness = new ApiHarness();
    const key = Buffer.alloc(32, 7).toString("base64");
    const library = harness.library({ encryptionMasterKeyBase64: key });
    const client = await harness.connect();
    const channel = "private-encrypted-news";
    client.subscribe(channel, library.authorizeChannel(client.socketId, channel).auth);
    await client.next("pusher_internal:subscription_succeeded");
    await library.trigger(channel, "secret", { text: "hush" });
    const { data } = await client.next("secret");
    assert.deepEqual(Object.keys(data), ["nonce", "ciphertext"]);
    assert.doesNotMatch(JSON.stringify(data), /hush/);
  });

  it("answers a wrong secret with an error of the library", async () => {
    await using harness = new ApiHarness();
    const library = harness.library({ secret: "another" });
    const error = await library.trigger("news", "e", {}).catch((error) => error);
    assert.ok(error instanceof PusherServer.RequestError);
    assert.equal(error.status, 401);
    const { reason, message } = JSON.parse(String(error.body));
    assert.equal(reason, "invalid_signature");
    assert.match(
      message,
      /POST\\n\/apps\/1\/events\\nauth_key=278d425bdf160c739803&auth_timestamp=/,
    );
    assert.ok(!message.includes(app.secret));
  });
});

const other = { id: "2", key: "other-key", secret: "other-secret", maxApiRequestsPerSecond: 3 };

/** Requests the channels of an app. */
async function ask(harness: ApiHarness, options: CallOptions = {}): Promise<Response> {
  const { path, query } = written(options);
  return await fetch(`${harness.origin}${path}?${query}`);
}

async function statusOf(answer: Promise<Response>): Promise<number> {
  const response = await answer;
  await response.body?.cancel();
  return response.status;
}

it("An app that is switched off takes no call", async () => {
  await using harness = new ApiHarness({ rules: { enabled: false } });
  const answer = await ask(harness);
  assert.equal(answer.status, 403);
  assert.equal((await answer.json()).reason, "app_refused");
});

describe("The quota of calls", () => {
  it("refuses a call over it with 403 over_quota, and takes calls in the next second again", async () => {
    const clock = new ManualClock();
    await using harness = new ApiHarness({ rules: { maxApiRequestsPerSecond: 3 }, clock });
    for (let call = 0; call < 3; call++) assert.equal(await statusOf(ask(harness)), 200);
    assert.equal(harness.realtime.stats().refusals.apiRequestsPerSecond, 0);
    const over = await ask(harness);
    assert.equal(over.status, 403);
    assert.equal(over.headers.get("retry-after"), "1");
    assert.deepEqual(await over.json(), {
      reason: "over_quota",
      message: "The app may make 3 calls a second",
    });
    assert.equal(harness.realtime.stats().refusals.apiRequestsPerSecond, 1);
    clock.advance(1_000);
    assert.equal(await statusOf(ask(harness)), 200);
  });

  it("does not count calls that are not authenticated", async () => {
    const clock = new ManualClock();
    await using harness = new ApiHarness({ rules: { maxApiRequestsPerSecond: 1 }, clock });
    for (let call = 0; call < 20; call++) {
      assert.equal(await statusOf(ask(harness, { secret: "a-stranger-has-no-secret" })), 401);
    }
    assert.equal(await statusOf(ask(harness)), 200);
    assert.equal(await statusOf(ask(harness)), 403);
    assert.equal(await statusOf(ask(harness, { secret: "a-stranger-has-no-secret" })), 401);
  });

  it("is counted for each app, and there is none by default", async () => {
    const clock = new ManualClock();
    await using harness = new ApiHarness({ apps: [app, other], clock });
    const path = "/apps/2/channels";
    const call = { path, query: { auth_key: other.key }, secret: other.secret };
    for (const status of [200, 200, 200, 403]) {
      assert.equal(await statusOf(ask(harness, call)), status);
    }
    for (let calls = 0; calls < 50; calls++) assert.equal(await statusOf(ask(harness)), 200);
  });

  it("applies to the next call after it is changed", async () => {
    const clock = new ManualClock();
    await using harness = new ApiHarness({ rules: { maxApiRequestsPerSecond: 1 }, clock });
    for (const status of [200, 403]) assert.equal(await statusOf(ask(harness)), status);
    harness.realtime.replaceApps([{ ...app, maxApiRequestsPerSecond: 4 }]);
    for (const status of [200, 200, 403]) assert.equal(await statusOf(ask(harness)), status);
  });
});

/** A channel's last event, as the official library gets it. */
async function cacheOf(harness: ApiHarness, channel: string): Promise<unknown> {
  const response = await harness.library().get({
    path: `/channels/${channel}`,
    params: { info: "cache" },
  });
  return await response.json();
}

describe("info=cache", () => {
  for (const channel of ["cache-a", "private-cache-a", "presence-cache-a"]) {
    it(`returns the last event of ${channel} and the seconds until it expires`, async () => {
      const clock = new ManualClock();
      await using harness = new ApiHarness({ clock });
      assert.deepEqual(await cacheOf(harness, channel), { occupied: false });
      await harness.library().trigger(channel, "update", { text: "hé 💚" });
      const data = '{"text":"hé 💚"}';
      assert.deepEqual(await cacheOf(harness, channel), {
        occupied: false,
        cache: { data, ttl: 1_800 },
      });
      clock.advance(1_500);
      assert.deepEqual(await cacheOf(harness, channel), {
        occupied: false,
        cache: { data, ttl: 1_799 },
      });
      clock.advance(cacheMs - 1_501);
      assert.deepEqual(await cacheOf(harness, channel), {
        occupied: false,
        cache: { data, ttl: 1 },
      });
      clock.advance(1);
      assert.deepEqual(await cacheOf(harness, channel), { occupied: false });
    });
  }

  it("is returned beside the other attributes of an occupied channel, and absent on other channels", async () => {
    await using harness = new ApiHarness();
    const client = await harness.connect();
    for (const channel of ["cache-a", "news"]) client.subscribe(channel);
    await until(() => harness.realtime.stats().subscriptions === 2);
    for (const channel of ["cache-a", "news"]) {
      await harness.library().trigger(channel, "update", "");
    }
    assert.deepEqual(await cacheOf(harness, "cache-a"), {
      occupied: true,
      cache: { data: "", ttl: 1_800 },
    });
    assert.deepEqual(await cacheOf(harness, "news"), { occupied: true });
  });
});

describe("A channel that empties or fills while it is asked for", () => {
  it("is occupied by the same answer that counts its users", async () => {
    await using harness = new ApiHarness();
    const member = await harness.member("ann");
    await harness.member("ben");
    // Redis answers two questions at two times: between them, everybody leaves.
    const api = harness.realtime.appApi("1")!;
    const states = api.states.bind(api);
    let asked = 0;
    api.states = async (names) => {
      const answer = await states(names);
      return asked++ === 0 ? answer : answer.map(() => undefined);
    };
    const channel = await showChannel(api, "presence-room", {
      info: "user_count,subscription_count",
    });
    assert.deepEqual(channel, { occupied: true, user_count: 2, subscription_count: 2 });
    member.close();
  });
});
