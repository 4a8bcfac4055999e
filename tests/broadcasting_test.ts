import assert from "node:assert/strict";
import Echo from "laravel-echo";
import { broadcaster } from "../broadcasting.ts";
import { clientOf } from "./realtime/api/clients.ts";
import { app, Rig, until } from "./realtime/rig.ts";

/** Calls a test's broadcasts as the app does. */
function broadcastOf(rig: Rig) {
  return broadcaster(() => rig.realtime.appApi(app.id));
}

/** What `.listen` is called with, by the name that is broadcast. */
const names = [
  { listened: "Name", broadcast: "Name" },
  { listened: "Orders.Shipped", broadcast: "Orders.Shipped" },
  { listened: ".plain.name", broadcast: ".plain.name" },
  { listened: "\\Other\\Name", broadcast: "\\Other\\Name" },
];

for (const { listened, broadcast: name } of names) {
  Deno.test(`Echo's .listen(${JSON.stringify(listened)}) hears a broadcast of that name`, async () => {
    await using rig = new Rig();
    await using client = clientOf(rig, "bob");
    const echo = new Echo({ broadcaster: "pusher", key: app.key, client });
    const heard: unknown[] = [];
    const joined = new Promise<void>((resolve) => {
      echo.private("users.1").listen(listened, (payload: unknown) => heard.push(payload))
        .subscribed(resolve);
    });
    await joined;
    const broadcast = broadcastOf(rig);
    broadcast("private-users.2", name, "not for here");
    broadcast("private-users.1", `${name}s`, "another event");
    broadcast("private-users.1", name, { text: "hé 💚", list: [1] });
    broadcast("private-users.1", name);
    await until(() => heard.length === 2);
    assert.deepEqual(heard, [{ text: "hé 💚", list: [1] }, {}]);
  });
}

Deno.test("under the namespace App.Events the name on the wire is Laravel's", async () => {
  await using rig = new Rig();
  const client = await rig.member("ann");
  broadcastOf(rig)("presence-room", "MailArrived", 3);
  const frames = await client.settled();
  assert.deepEqual(frames, [
    { event: "App\\Events\\MailArrived", channel: "presence-room", data: 3 },
  ]);
});

Deno.test("whoever caused a broadcast does not hear it", async () => {
  await using rig = new Rig();
  const [ann, bob] = [await rig.member("ann"), await rig.member("bob")];
  await ann.settled();
  const broadcast = broadcastOf(rig);
  broadcast("presence-room", "First", {}, { except: ann.socketId });
  broadcast("presence-room", "Second", {}, { except: null });
  const names = async (client: typeof ann) =>
    (await client.settled()).map(({ event }) => event.replace("App\\Events\\", ""));
  assert.deepEqual(await names(ann), ["Second"]);
  assert.deepEqual(await names(bob), ["First", "Second"]);
});

const faults: [what: string, channel: string, name: string, payload: unknown, except?: string][] = [
  ["a channel name with a space", "a b", "Name", {}],
  ["a name that is too long", "a", "x".repeat(200), {}],
  ["an event of the protocol", "a", ".pusher:error", {}],
  ["a payload over 10 KB", "a", "Name", "x".repeat(10_239)],
  ["a payload that JSON does not know", "a", "Name", () => {}],
  ["a socket id that is none", "a", "Name", {}, "me"],
];

for (const [what, channel, name, payload, except] of faults) {
  Deno.test(`a broadcast fails and sends nothing: ${what}`, async () => {
    await using rig = new Rig();
    const client = await rig.connect();
    client.subscribe("a");
    await client.next("pusher_internal:subscription_succeeded");
    assert.throws(() => broadcastOf(rig)(channel, name, payload, { except }), {
      name: "ApiRefusal",
    });
    assert.deepEqual(await client.settled(), []);
  });
}
