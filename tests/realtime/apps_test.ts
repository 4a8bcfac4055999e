import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { type AppConfig, RealtimeServer } from "@/realtime/server.ts";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { app, type Client, Harness, until } from "./harness.ts";

const other: AppConfig = { id: "2", key: "other-key", secret: "other-secret" };

async function joined(client: Client, channel: string, by: AppConfig = app): Promise<void> {
  client.subscribe(channel, signChannel(by, client.socketId, channel));
  await client.next("pusher_internal:subscription_succeeded");
}

describe("The apps of a server", () => {
  it("share no channel, no signature and no user", async () => {
    await using harness = new Harness({ apps: [app, other] });
    const [ours, theirs] = [await harness.connect(), await harness.connect(other.key)];
    await joined(ours, "private-a");
    theirs.subscribe("private-a", signChannel(app, theirs.socketId, "private-a"));
    assert.match((await theirs.next("pusher:error")).data.message, /^Invalid key/);
    await joined(theirs, "private-a", other);
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
    await joined(client, "private-a", renewed);
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
