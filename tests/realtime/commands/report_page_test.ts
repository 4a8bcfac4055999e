import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import Echo from "laravel-echo";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { Pusher } from "../../fixtures/pusher_js.ts";
import { ManualClock } from "../manual_clock.ts";
import { optionsFor } from "../pusher_options.ts";
import { app, type Client, Rig, until } from "../rig.ts";

const room = "presence-room";

function report(client: Client, data: unknown, channel: unknown = room): void {
  client.sendRaw(JSON.stringify({ event: "client-rollcall-page", channel, data }));
}

/** Reports pages one after the other, all of which arrive. */
async function reportAll(client: Client, ...paths: string[]): Promise<void> {
  for (const path of paths) report(client, { path });
  assert.deepEqual(await client.settled(), []);
}

/** The pages of each member of the room. */
function pages(rig: Rig): Record<string, string[]> {
  const members = rig.app.presence.members(room);
  return Object.fromEntries(
    members.map(({ userId, pages }) => [userId, (pages ?? []).map(({ path }) => path)]),
  );
}

describe("The page that a client reports", () => {
  it("is that of its tab, until the tab leaves the channel or closes", async () => {
    const clock = new ManualClock();
    await using rig = new Rig({ clock });
    const [tab, phone] = [await rig.member("ann"), await rig.member("ann")];
    await rig.member("bob");
    report(tab, { path: "/a?secret=1", device: "desktop" });
    await tab.settled();
    clock.advance(10);
    report(phone, { path: "/b", device: "phone" });
    await phone.settled();
    const [ann, bob] = rig.app.presence.members(room);
    const now = clock.date();
    assert.deepEqual(ann.pages, [
      { path: "/b", device: "phone", since: now },
      { path: "/a", device: "desktop", since: now - 10 },
    ]);
    assert.ok(!("pages" in bob));
    phone.send("pusher:unsubscribe", { channel: room });
    await phone.settled();
    assert.deepEqual(pages(rig).ann, ["/a"]);
    await phone.joined("ann");
    assert.deepEqual(pages(rig).ann, ["/a"], "it is not reported again");
    tab.close();
    await until(() => rig.realtime.stats().connections === 2);
    assert.deepEqual(pages(rig), { ann: [], bob: [] });
  });

  it("changes once a second at most, to the last that was reported", async () => {
    const clock = new ManualClock();
    await using rig = new Rig({ clock });
    const ann = await rig.member("ann");
    let changes = 0;
    rig.app.listeners.pages.add(room, () => changes++);
    await reportAll(ann, "/1", "/2", "/3");
    assert.deepEqual([pages(rig).ann, changes], [["/1"], 1]);
    clock.advance(999);
    assert.deepEqual(pages(rig).ann, ["/1"]);
    clock.advance(1);
    assert.deepEqual([pages(rig).ann, changes], [["/3"], 2]);
    await reportAll(ann, "/4", "/3");
    clock.advance(1_000);
    assert.deepEqual([pages(rig).ann, changes], [["/3"], 2], "it went back in time");
    assert.equal(rig.realtime.stats().pages, 0);
  });

  it("that waits for its second is dropped with its subscription", async () => {
    const clock = new ManualClock();
    await using rig = new Rig({ clock });
    const ann = await rig.member("ann");
    await reportAll(ann, "/1", "/2");
    ann.send("pusher:unsubscribe", { channel: room });
    await ann.settled();
    await ann.joined("ann");
    clock.advance(1_000);
    assert.deepEqual(pages(rig).ann, []);
    await reportAll(ann, "/3", "/4");
    ann.close();
    await until(() => rig.realtime.stats().connections === 0);
    assert.equal(rig.realtime.stats().pages, 0);
  });

  const refused: Record<string, [data: unknown, channel: unknown, message: RegExp]> = {
    "a channel without members": [{ path: "/" }, "private-a", /a presence channel/],
    "a channel that it did not join": [{ path: "/" }, "presence-other", /a member of/],
    "no channel": [{ path: "/" }, null, /a presence channel/],
    "no data": [undefined, room, /^Invalid page/],
    "no path": [{ path: "shop" }, room, /^Invalid page at path: expected a path/],
    "a line feed": [{ path: "/\n" }, room, /without control characters/],
    "an unknown device": [{ path: "/", device: "fridge" }, room, /^Invalid page at device/],
  };
  for (const [name, [data, channel, message]] of Object.entries(refused)) {
    it(`is refused with an error for ${name}; the connection stays open`, async () => {
      await using rig = new Rig({ maxErrors: 0 });
      const ann = await rig.member("ann");
      ann.subscribe("private-a", signChannel(app, ann.socketId, "private-a"));
      await ann.settled();
      report(ann, data, channel);
      const [error, ...further] = await ann.settled();
      assert.equal(error.event, "pusher:error");
      assert.match(error.data.message, message);
      assert.deepEqual(further, []);
      assert.deepEqual(pages(rig).ann, []);
    });
  }

  it("is not taken from an observer", async () => {
    await using rig = new Rig();
    const observer = await rig.connect();
    const data = JSON.stringify({ user_id: "eve", rollcall: { observe: true } });
    observer.subscribe(room, signChannel(app, observer.socketId, room, data), data);
    await observer.settled();
    report(observer, { path: "/" });
    assert.deepEqual((await observer.settled()).map(({ event }) => event), ["pusher:error"]);
  });

  it("comes from pusher-js and Echo, with client events switched off", async () => {
    await using rig = new Rig({ rules: { clientEvents: false } });
    const [ann, bob] = ["ann", "bob"].map((id) => new Pusher(app.key, optionsFor(rig, id)));
    const channel = ann.subscribe(room);
    channel.bind(
      "pusher:subscription_succeeded",
      () => channel.trigger("client-rollcall-page", { path: "/ann" }),
    );
    const echo = new Echo({ broadcaster: "pusher", key: app.key, client: bob });
    const joined = echo.join("room");
    joined.here(() => joined.whisper("rollcall-page", { path: "/bob" }));
    await until(() => Object.values(pages(rig)).flat().length === 2);
    assert.deepEqual(pages(rig), { ann: ["/ann"], bob: ["/bob"] });
    ann.disconnect();
    echo.disconnect();
    await until(() => rig.realtime.stats().connections === 0);
  });
});
