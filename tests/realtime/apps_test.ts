import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { type AppConfig, RealtimeServer } from "@/realtime/server.ts";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { app, type Client, Rig, until } from "./rig.ts";

const other: AppConfig = { id: "2", key: "other-key", secret: "other-secret" };

async function joined(client: Client, channel: string, by: AppConfig = app): Promise<void> {
  client.subscribe(channel, signChannel(by, client.socketId, channel));
  await client.next("pusher_internal:subscription_succeeded");
}

describe("The apps of a server", () => {
  it("share no channel, no signature and no user", async () => {
    await using rig = new Rig({ apps: [app, other] });
    const [ours, theirs] = [await rig.connect(), await rig.connect(other.key)];
    await joined(ours, "private-a");
    theirs.subscribe("private-a", signChannel(app, theirs.socketId, "private-a"));
    assert.match((await theirs.next("pusher:error")).data.message, /^Invalid key/);
    await joined(theirs, "private-a", other);
    rig.app.publish("private-a", "first", {});
    rig.realtime.app("2")?.publish("private-a", "second", {});
    assert.deepEqual((await ours.settled()).map(({ event }) => event), ["first"]);
    assert.equal((await theirs.next("second")).event, "second");
    assert.ok(rig.realtime.app("2")?.connections.claim(theirs.socketId, { userId: "u" }));
    assert.equal(rig.app.connections.closeUser("u"), 0);
    assert.equal(rig.realtime.app("2")?.connections.closeUser("u"), 1);
    await theirs.closed;
    assert.deepEqual(await ours.settled(), []);
  });

  it("close clients with 4003 after pusher:error when they are disabled", async () => {
    await using rig = new Rig({ rules: { enabled: false } });
    const client = rig.open();
    assert.equal((await client.next("pusher:error")).data.code, 4003);
    assert.equal((await client.closed).code, 4003);
  });

  it("that stay when the list is replaced keep their connections and get their new rules", async () => {
    await using rig = new Rig({ apps: [other, app] });
    const client = await rig.connect();
    await client.joined("ann");
    const renewed = { ...app, secret: "rotated", presenceMaxMembers: 1 };
    rig.realtime.replaceApps([renewed]);
    rig.app.publish("presence-room", "still", {});
    assert.deepEqual((await client.settled()).map(({ event }) => event), ["still"]);
    await joined(client, "private-a", renewed);
    const late = await rig.connect();
    const channelData = '{"user_id":"bob"}';
    const auth = signChannel(renewed, late.socketId, "presence-room", channelData);
    late.subscribe("presence-room", auth, channelData);
    assert.match((await late.next("pusher:error")).data.message, /full: 1 members/);
  });

  it("that are gone close their connections with 4001, and disabled ones with 4003", async () => {
    await using rig = new Rig({ apps: [app, other], presenceGraceMs: 60_000 });
    const [kept, gone] = [await rig.member("ann"), await rig.connect(other.key)];
    rig.realtime.replaceApps([app]);
    assert.equal((await gone.next("pusher:error")).data.code, 4001);
    assert.equal((await gone.closed).code, 4001);
    assert.equal((await rig.open(`/app/${other.key}?protocol=7`).closed).code, 4001);
    assert.equal(rig.realtime.app("2"), undefined);
    assert.deepEqual(await kept.settled(), []);
    rig.realtime.replaceApps([{ ...app, enabled: false }]);
    assert.equal((await kept.closed).code, 4003);
    await until(() => rig.realtime.stats().closing === 0);
    for (const [name, size] of rig.sizes) assert.equal(size, 0, name);
  });

  it("are other apps when their key changes", async () => {
    await using rig = new Rig();
    const client = await rig.connect();
    rig.realtime.replaceApps([{ ...app, key: "another" }]);
    assert.equal((await client.closed).code, 4001);
    await rig.connect("another");
  });

  for (
    const [name, apps, fault] of [
      ["no app", [], /no app/],
      ["one id twice", [app, { ...other, id: app.id }], /id 1$/],
      ["one key twice", [app, { ...other, key: app.key }], /key 278d/],
    ] as const
  ) {
    it(`cannot be replaced by a list with ${name}; those before stay`, async () => {
      await using rig = new Rig();
      const client = await rig.connect();
      assert.throws(() => rig.realtime.replaceApps(apps), fault);
      assert.throws(() => new RealtimeServer({ apps: [...apps] }), fault);
      assert.deepEqual(await client.settled(), []);
      await rig.connect();
    });
  }
});
