import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { signChannel, signUser } from "@/realtime/protocol/signature.ts";
import { Pusher } from "../../fixtures/pusher_js.ts";
import { optionsFor } from "../pusher_options.ts";
import { app, type Client, Harness, until } from "../harness.ts";

function signIn(client: Client, userData: string, socketId = client.socketId): void {
  client.send("pusher:signin", { auth: signUser(app, socketId, userData), user_data: userData });
}

const refused: Record<string, (client: Client) => void> = {
  "a signature for another socket": (client) => signIn(client, '{"id":"7"}', "1.2"),
  "a forged signature": (client) =>
    client.send("pusher:signin", { auth: `${app.key}:abc`, user_data: '{"id":"7"}' }),
  "an empty id": (client) => signIn(client, '{"id":""}'),
  "an id that is neither text nor an integer": (client) => signIn(client, '{"id":7.5}'),
  "user_data that is no JSON": (client) => signIn(client, "7"),
};

describe("pusher:signin", () => {
  it("signs a user in, may be repeated, and gives access to its own channel", async () => {
    await using harness = new Harness();
    const client = await harness.connect();
    const userData = '{"id":"7","user_info":{"id":"7"}}';
    signIn(client, userData);
    signIn(client, userData);
    client.subscribe("#server-to-user-7");
    const [first, again, joined] = await client.settled();
    assert.deepEqual(first, { event: "pusher:signin_success", data: { user_data: userData } });
    assert.deepEqual(again, first);
    assert.equal(joined.event, "pusher_internal:subscription_succeeded");
    assert.equal(harness.app.connections.closeUser("7"), 1);
    assert.equal(harness.realtime.stats().signedInOrLeaving, 0);
  });

  it("gives no access to the channel of another user", async () => {
    await using harness = new Harness();
    const client = await harness.connect();
    signIn(client, '{"id":"7"}');
    client.subscribe("#server-to-user-8");
    const { data } = await client.next("pusher:subscription_error");
    assert.equal(data.status, 401);
    assert.equal(harness.app.isOccupied("#server-to-user-8"), false);
  });

  it("takes an integer as id, and answers with its decimal text", async () => {
    await using harness = new Harness();
    const client = await harness.connect();
    signIn(client, '{"id":7,"user_info":{"id":7}}');
    client.subscribe("#server-to-user-7");
    const [success, joined] = await client.settled();
    const userData = '{"id":"7","user_info":{"id":7}}';
    assert.deepEqual(success, { event: "pusher:signin_success", data: { user_data: userData } });
    assert.equal(joined.event, "pusher_internal:subscription_succeeded");
    assert.equal(harness.app.connections.closeUser("7"), 1);
  });

  it("succeeds for pusher-js, which takes text only, when its auth route signs an integer", async () => {
    await using harness = new Harness();
    const pusher = new Pusher(app.key, optionsFor(harness, 7));
    pusher.signin();
    await until(() => harness.app.isOccupied("#server-to-user-7"));
    assert.deepEqual(pusher.user.user_data, { id: "7", user_info: { id: 7 } });
    pusher.disconnect();
    await until(() => harness.realtime.stats().connections === 0);
  });

  it("lets the user join a presence channel without channel_data", async () => {
    await using harness = new Harness();
    const client = await harness.connect();
    signIn(client, '{"id":"7","user_info":{"id":"seven"}}');
    client.subscribe("presence-room", signChannel(app, client.socketId, "presence-room"));
    const { data } = await client.next("pusher_internal:subscription_succeeded");
    assert.deepEqual(data.presence, { ids: ["7"], hash: { "7": { id: "seven" } }, count: 1 });
  });

  for (const [name, act] of Object.entries(refused)) {
    it(`is refused with ${name}`, async () => {
      await using harness = new Harness();
      const client = await harness.connect();
      act(client);
      const frames = await client.settled();
      assert.deepEqual(frames.map(({ event }) => event), ["pusher:error"]);
      assert.equal(harness.app.connections.closeUser("7"), 0);
    });
  }

  it("is refused for a second user on one connection", async () => {
    await using harness = new Harness();
    const client = await harness.connect();
    signIn(client, '{"id":"7"}');
    signIn(client, '{"id":"8"}');
    const [success, error] = await client.settled();
    assert.equal(success.event, "pusher:signin_success");
    assert.match(error.data.message, /another user/);
    assert.equal(harness.app.connections.closeUser("8"), 0);
  });
});
