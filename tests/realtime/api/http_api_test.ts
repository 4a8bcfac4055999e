import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Buffer } from "node:buffer";
import PusherServer from "pusher";
import { signUser } from "@/realtime/protocol/signature.ts";
import { clientOf, heard } from "./clients.ts";
import { app, until } from "../rig.ts";
import { ApiRig } from "./rig.ts";

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
    await using rig = new ApiRig();
    const library = rig.library();
    await using client = clientOf(rig, "bob");
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
    await using rig = new ApiRig();
    await using sender = clientOf(rig, "ann");
    await using other = clientOf(rig, "bob");
    const bySender = await heard(sender, ["news"]);
    const byOther = await heard(other, ["news"]);
    const socket_id = sender.connection.socket_id;
    await rig.library().trigger("news", "first", {}, { socket_id });
    await rig.library().trigger("news", "second", {});
    await until(() => byOther.length === 2 && bySender.length === 1);
    assert.deepEqual(bySender.map(({ event }) => event), ["second"]);
  });

  it("returns the attributes of its channels that a trigger asks for", async () => {
    await using rig = new ApiRig();
    await rig.member("ann");
    await rig.member("ann");
    await rig.member("bob");
    const channels = ["presence-room", "presence-none", "news", "__proto__"];
    const answer = await bodyOf(
      rig.library().trigger(channels, "e", "", { info: "user_count,subscription_count" }),
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
    await using rig = new ApiRig();
    await using client = clientOf(rig, "bob");
    const events = await heard(client, ["one", "presence-two"]);
    const batch = [
      { channel: "presence-two", name: "a", data: { n: 1 }, info: "user_count" },
      { channel: "one", name: "b", data: "text" },
      { channel: "one", name: "c", data: [3], info: "subscription_count" },
    ];
    assert.deepEqual(await bodyOf(rig.library().triggerBatch(batch)), {
      batch: [{ user_count: 1 }, {}, { subscription_count: 1 }],
    });
    await until(() => events.length === 3);
    assert.deepEqual(events.map(({ event, data }) => [event, data]), [
      ["a", { n: 1 }],
      ["b", "text"],
      ["c", [3]],
    ]);
    const plain = [{ channel: "one", name: "d", data: "" }];
    assert.deepEqual(await bodyOf(rig.library().triggerBatch(plain)), {});
  });

  it("lists the occupied channels with a prefix, with the attributes asked for", async () => {
    await using rig = new ApiRig();
    const list = (params: Record<string, string>) =>
      bodyOf(rig.library().get({ path: "/channels", params }));
    assert.deepEqual(await list({}), { channels: {} });
    await rig.member("ann");
    await rig.member("bob");
    await rig.member("ann", "presence-hall");
    const client = await rig.connect();
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
    await using rig = new ApiRig({ presenceGraceMs: 60_000 });
    const client = await rig.member("ann");
    client.close();
    await until(() => rig.realtime.stats().leaving === 1);
    const params = { filter_by_prefix: "presence-", info: "user_count,subscription_count" };
    assert.deepEqual(await bodyOf(rig.library().get({ path: "/channels", params })), {
      channels: { "presence-room": { user_count: 1, subscription_count: 1 } },
    });
  });

  it("returns whether a channel is occupied, and its users", async () => {
    await using rig = new ApiRig();
    const get = (path: string, info?: string) =>
      bodyOf(rig.library().get({ path, params: info ? { info } : {} }));
    await rig.member(10);
    await rig.member("a b/é&=%");
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

  it("delivers an event for a user to every connection that signed in as it", async () => {
    await using rig = new ApiRig();
    await using one = clientOf(rig, "bob smith");
    await using two = clientOf(rig, "bob smith");
    await using other = clientOf(rig, "eve");
    const events: string[] = [];
    for (const client of [one, two, other]) {
      client.signin();
      client.user.bind(
        "mail",
        (data: string) => events.push(`${client.user.user_data.id} ${data}`),
      );
    }
    await until(() => rig.realtime.stats().subscriptions === 3);
    await rig.library().sendToUser("eve", "mail", "first");
    await rig.library().sendToUser("bob smith", "mail", "second");
    await until(() => events.length === 3);
    assert.deepEqual(events, ["eve first", "bob smith second", "bob smith second"]);
    assert.deepEqual(await bodyOf(rig.library().get({ path: "/channels" })), { channels: {} });
  });

  for (const [userId, asWritten] of userIds) {
    const name = JSON.stringify(userId);
    it(`terminates only the connections that signed in or joined as ${name}`, async () => {
      await using rig = new ApiRig();
      const member = await rig.member(userId);
      const signedIn = await rig.connect();
      const user_data = JSON.stringify({ id: userId });
      const auth = signUser(app, signedIn.socketId, user_data);
      signedIn.send("pusher:signin", { auth, user_data });
      await signedIn.next("pusher:signin_success");
      await using other = clientOf(rig, "eve");
      other.signin();
      await until(() => rig.realtime.stats().subscriptions === 2);
      const terminated = rig.library().terminateUserConnections(asWritten);
      assert.deepEqual(await bodyOf(terminated), {});
      assert.equal((await signedIn.next("pusher:error")).data.code, 4009);
      for (const { closed } of [signedIn, member]) assert.equal((await closed).code, 4009);
      assert.equal(other.connection.state, "connected");
    });
  }

  it("relays encrypted events unchanged", async () => {
    await using rig = new ApiRig();
    const key = Buffer.alloc(32, 7).toString("base64");
    const library = rig.library({ encryptionMasterKeyBase64: key });
    const client = await rig.connect();
    const channel = "private-encrypted-news";
    client.subscribe(channel, library.authorizeChannel(client.socketId, channel).auth);
    await client.next("pusher_internal:subscription_succeeded");
    await library.trigger(channel, "secret", { text: "hush" });
    const { data } = await client.next("secret");
    assert.deepEqual(Object.keys(data), ["nonce", "ciphertext"]);
    assert.doesNotMatch(JSON.stringify(data), /hush/);
  });

  it("answers a wrong secret with an error of the library", async () => {
    await using rig = new ApiRig();
    const library = rig.library({ secret: "another" });
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
