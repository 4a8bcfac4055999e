import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import Echo from "laravel-echo";
import { broadcaster, hereBroadcaster } from "@/server/presence/channels.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { clientOf } from "../../realtime/pusher_clients.ts";
import { app, Harness, until } from "../../realtime/harness.ts";

/** Calls a test's broadcasts as the app does. */
function broadcastOf(harness: Harness) {
  return broadcaster(() => harness.realtime.appApi(app.id));
}

/** What `.listen` is called with, by the name that is broadcast. */
const names = [
  { listened: "Name", broadcast: "Name" },
  { listened: "Orders.Shipped", broadcast: "Orders.Shipped" },
  { listened: ".plain.name", broadcast: ".plain.name" },
  { listened: "\\Other\\Name", broadcast: "\\Other\\Name" },
];

const faults: [what: string, channel: string, name: string, payload: unknown, except?: string][] = [
  ["a channel name with a space", "a b", "Name", {}],
  ["a name that is too long", "a", "x".repeat(200), {}],
  ["an event of the protocol", "a", ".pusher:error", {}],
  ["a payload over 10 KB", "a", "Name", "x".repeat(10_239)],
  ["a payload that JSON cannot hold", "a", "Name", () => {}],
  ["`except` that is no socket id", "a", "Name", {}, "me"],
];

describe("a broadcast of the app's own code", () => {
  for (const { listened, broadcast: name } of names) {
    it(`reaches Echo's .listen(${JSON.stringify(listened)}) as ${JSON.stringify(name)}`, async () => {
      await using harness = new Harness();
      await using client = clientOf(harness, "bob");
      const echo = new Echo({ broadcaster: "pusher", key: app.key, client });
      const received: unknown[] = [];
      const joined = new Promise<void>((resolve) => {
        echo.private("users.1").listen(listened, (payload: unknown) => received.push(payload))
          .subscribed(resolve);
      });
      await withTimeout(joined, "Echo had joined the channel");
      const broadcast = broadcastOf(harness);
      broadcast("private-users.2", name, "not for here");
      broadcast("private-users.1", `${name}s`, "another event");
      broadcast("private-users.1", name, { text: "hé 💚", list: [1] });
      broadcast("private-users.1", name);
      await until(() => received.length === 2);
      assert.deepEqual(received, [{ text: "hé 💚", list: [1] }, {}]);
    });
  }

  it("reaches the subscribers of this server only, of any size, where it is of this server", async () => {
    await using harness = new Harness();
    const client = await harness.member("ann");
    const own = harness.realtime.app(app.id)!;
    const inspected: string[] = [];
    own.listeners.published.add("presence-room", ({ name }) => inspected.push(name));
    const broadcastHere = hereBroadcaster(() => own);
    const text = "x".repeat(20_000);
    broadcastHere("presence-room", "HealthMeasured", { text });
    broadcastHere("presence-empty", "HealthMeasured", {});
    const name = "App\\Events\\HealthMeasured";
    const frames = await client.settled();
    assert.deepEqual(frames, [{ event: name, channel: "presence-room", data: { text } }]);
    assert.deepEqual(inspected, [name]);
  });

  it("has Laravel's name on the wire, under the namespace App.Events", async () => {
    await using harness = new Harness();
    const client = await harness.member("ann");
    broadcastOf(harness)("presence-room", "MailArrived", 3);
    const frames = await client.settled();
    assert.deepEqual(frames, [
      { event: "App\\Events\\MailArrived", channel: "presence-room", data: 3 },
    ]);
  });

  it("does not reach the socket that `except` names, and reaches all without it", async () => {
    await using harness = new Harness();
    const [ann, bob] = [await harness.member("ann"), await harness.member("bob")];
    await ann.settled();
    const broadcast = broadcastOf(harness);
    broadcast("presence-room", "First", {}, { except: ann.socketId });
    broadcast("presence-room", "Second", {}, { except: null });
    const names = async (client: typeof ann) =>
      (await client.settled()).map(({ event }) => event.replace("App\\Events\\", ""));
    assert.deepEqual(await names(ann), ["Second"]);
    assert.deepEqual(await names(bob), ["First", "Second"]);
  });

  for (const [what, channel, name, payload, except] of faults) {
    it(`throws, and sends nothing, with ${what}`, async () => {
      await using harness = new Harness();
      const client = await harness.connect();
      client.subscribe("a");
      await client.next("pusher_internal:subscription_succeeded");
      assert.throws(() => broadcastOf(harness)(channel, name, payload, { except }), {
        name: "ApiError",
      });
      assert.deepEqual(await client.settled(), []);
    });
  }
});
