import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import Echo from "laravel-echo";
import { Pusher } from "../fixtures/pusher_js.ts";
import { joined, next } from "./api/clients.ts";
import { optionsFor } from "./pusher_options.ts";
import { app, Harness, until } from "./harness.ts";

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
