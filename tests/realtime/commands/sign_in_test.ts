import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import Echo from "laravel-echo";
import { signChannel, signUser } from "@/realtime/protocol/signature.ts";
import { Pusher } from "../../fixtures/pusher_js.ts";
import { clientOf, optionsFor } from "../pusher_clients.ts";
import { app, type Client, Harness, until } from "../harness.ts";
import { ManualClock } from "../manual_clock.ts";

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
function pages(harness: Harness): Record<string, string[]> {
  const members = harness.app.presence.members(room);
  return Object.fromEntries(
    members.map(({ userId, pages }) => [userId, (pages ?? []).map(({ path }) => path)]),
  );
}

describe("The page that a client reports", () => {
  it("is its tab's, until the tab leaves the channel or closes", async () => {
    const clock = new ManualClock();
    await using harness = new Harness({ clock });
    const [tab, phone] = [await harness.member("ann"), await harness.member("ann")];
    await harness.member("bob");
    report(tab, { path: "/a?secret=1", device: "desktop" });
    await tab.settled();
    clock.advance(10);
    report(phone, { path: "/b", device: "phone" });
    await phone.settled();
    const [ann, bob] = harness.app.presence.members(room);
    const now = clock.date();
    assert.deepEqual(ann.pages, [
      { path: "/b", device: "phone", since: now },
      { path: "/a", device: "desktop", since: now - 10 },
    ]);
    assert.ok(!("pages" in bob));
    phone.send("pusher:unsubscribe", { channel: room });
    await phone.settled();
    assert.deepEqual(pages(harness).ann, ["/a"]);
    await phone.joined("ann");
    assert.deepEqual(pages(harness).ann, ["/a"], "it is not reported again");
    tab.close();
    await until(() => harness.realtime.stats().connections === 2);
    assert.deepEqual(pages(harness), { ann: [], bob: [] });
  });

  it("changes once a second at most, to the last that was reported", async () => {
    const clock = new ManualClock();
    await using harness = new Harness({ clock });
    const ann = await harness.member("ann");
    let changes = 0;
    harness.app.listeners.pages.add(room, () => changes++);
    await reportAll(ann, "/1", "/2", "/3");
    assert.deepEqual([pages(harness).ann, changes], [["/1"], 1]);
    clock.advance(999);
    assert.deepEqual(pages(harness).ann, ["/1"]);
    clock.advance(1);
    assert.deepEqual([pages(harness).ann, changes], [["/3"], 2]);
    await reportAll(ann, "/4", "/3");
    clock.advance(1_000);
    assert.deepEqual([pages(harness).ann, changes], [["/3"], 2], "it went back in time");
    assert.equal(harness.realtime.stats().pages, 0);
  });

  it("that waits for its second is dropped with its subscription", async () => {
    const clock = new ManualClock();
    await using harness = new Harness({ clock });
    const ann = await harness.member("ann");
    await reportAll(ann, "/1", "/2");
    ann.send("pusher:unsubscribe", { channel: room });
    await ann.settled();
    await ann.joined("ann");
    clock.advance(1_000);
    assert.deepEqual(pages(harness).ann, []);
    await reportAll(ann, "/3", "/4");
    ann.close();
    await until(() => harness.realtime.stats().connections === 0);
    assert.equal(harness.realtime.stats().pages, 0);
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
      await using harness = new Harness({ maxErrors: 0 });
      const ann = await harness.member("ann");
      ann.subscribe("private-a", signChannel(app, ann.socketId, "private-a"));
      await ann.settled();
      report(ann, data, channel);
      const [error, ...further] = await ann.settled();
      assert.equal(error.event, "pusher:error");
      assert.match(error.data.message, message);
      assert.deepEqual(further, []);
      assert.deepEqual(pages(harness).ann, []);
    });
  }

  it("is not taken from an observer", async () => {
    await using harness = new Harness();
    const observer = await harness.connect();
    const data = JSON.stringify({ user_id: "eve", rollcall: { observe: true } });
    observer.subscribe(room, signChannel(app, observer.socketId, room, data), data);
    await observer.settled();
    report(observer, { path: "/" });
    assert.deepEqual((await observer.settled()).map(({ event }) => event), ["pusher:error"]);
  });

  it("comes from pusher-js and Echo, with client events switched off", async () => {
    await using harness = new Harness({ rules: { clientEvents: false } });
    const [ann, bob] = ["ann", "bob"].map((id) => new Pusher(app.key, optionsFor(harness, id)));
    const channel = ann.subscribe(room);
    channel.bind(
      "pusher:subscription_succeeded",
      () => channel.trigger("client-rollcall-page", { path: "/ann" }),
    );
    const echo = new Echo({ broadcaster: "pusher", key: app.key, client: bob });
    const joined = echo.join("room");
    joined.here(() => joined.whisper("rollcall-page", { path: "/bob" }));
    await until(() => Object.values(pages(harness)).flat().length === 2);
    assert.deepEqual(pages(harness), { ann: ["/ann"], bob: ["/bob"] });
    ann.disconnect();
    echo.disconnect();
    await until(() => harness.realtime.stats().connections === 0);
  });
});

describe("The activity that a client reports", () => {
  const reportState = (client: Client, data: unknown, channel: unknown = room) =>
    client.sendRaw(JSON.stringify({ event: "client-rollcall-activity", channel, data }));

  it("is taken from any member of a presence channel, with client events switched off", async () => {
    await using harness = new Harness({ rules: { clientEvents: false } });
    const [ann, bob] = ["ann", "bob"].map((id) => new Pusher(app.key, optionsFor(harness, id)));
    const channel = ann.subscribe(room);
    channel.bind(
      "pusher:subscription_succeeded",
      () => channel.trigger("client-rollcall-activity", { state: "idle", seconds: 60 }),
    );
    const echo = new Echo({ broadcaster: "pusher", key: app.key, client: bob });
    const joined = echo.join("room");
    joined.here(() => joined.whisper("rollcall-activity", { state: "active" }));
    const states = () =>
      Object.fromEntries(
        harness.app.presence.members(room).map(({ userId, activity }) => [userId, activity?.state]),
      );
    await until(() => Object.values(states()).filter(Boolean).length === 2);
    assert.deepEqual(states(), { ann: "idle", bob: "active" });
    ann.disconnect();
    echo.disconnect();
    await until(() => harness.realtime.stats().connections === 0);
  });

  const refused: Record<string, [data: unknown, channel: unknown, message: RegExp]> = {
    "a channel without members": [{ state: "idle" }, "private-a", /needs a presence channel/],
    "a channel that it did not join": [{ state: "idle" }, "presence-other", /a member of/],
    "no channel": [{ state: "idle" }, null, /needs a presence channel/],
    "no data": [undefined, room, /^Invalid activity/],
    "another state": [{ state: "away" }, room, /^Invalid activity at state/],
    "a negative time": [{ state: "idle", seconds: -1 }, room, /^Invalid activity at seconds/],
  };
  for (const [name, [data, channel, message]] of Object.entries(refused)) {
    it(`is refused with an error for ${name}; the connection stays open`, async () => {
      await using harness = new Harness({ maxErrors: 0 });
      const ann = await harness.member("ann");
      ann.subscribe("private-a", signChannel(app, ann.socketId, "private-a"));
      await ann.settled();
      reportState(ann, data, channel);
      const [error, ...further] = await ann.settled();
      assert.equal(error.event, "pusher:error");
      assert.match(error.data.message, message);
      assert.deepEqual(further, []);
      assert.equal(harness.app.stats().reporting, 0);
    });
  }

  it("is not taken from an observer", async () => {
    await using harness = new Harness();
    const observer = await harness.connect();
    const data = JSON.stringify({ user_id: "eve", rollcall: { observe: true } });
    observer.subscribe(room, signChannel(app, observer.socketId, room, data), data);
    await observer.settled();
    reportState(observer, { state: "active" });
    assert.deepEqual((await observer.settled()).map(({ event }) => event), ["pusher:error"]);
    assert.equal(harness.app.stats().reporting, 0);
  });

  it("stands beside the tab's page, and goes with the subscription", async () => {
    await using harness = new Harness();
    const ann = await harness.member("ann");
    await reportAll(ann, "/a");
    reportState(ann, { state: "active" });
    await ann.settled();
    const [{ activity, pages: [page] = [] }] = harness.app.presence.members(room);
    assert.deepEqual([activity?.state, page.path, page.activity], ["active", "/a", activity]);
    ann.send("pusher:unsubscribe", { channel: room });
    await ann.settled();
    await ann.joined("ann");
    assert.equal(harness.app.presence.members(room)[0].activity, undefined);
  });
});

/** Why a user is blocked; only Bo is, in one app. */
function blockReason(appId: string, userId: string): string | undefined {
  return appId === app.id && userId === "bo" ? "You broke the rules" : undefined;
}

describe("a blocked user", () => {
  const error = { message: "You broke the rules", code: 4009 };
  /** The frames after a frame of a blocked user, and the code of the close. */
  const refusal = async (harness: Harness, act: (client: Client) => void) => {
    const client = await harness.connect();
    act(client);
    const { code, reason } = await client.closed;
    assert.deepEqual([code, reason], [4009, "You broke the rules"]);
    const frames: unknown[] = [];
    while (frames.length < 9) {
      const frame = await client.next("pusher:subscription_error").catch(() => undefined);
      if (!frame) break;
      frames.push(frame);
    }
    return frames;
  };

  it("is refused with the reason in presence channels, as a member or not, and is closed", async () => {
    await using harness = new Harness({ blockReason });
    const refused = {
      event: "pusher:subscription_error",
      channel: "presence-room",
      data: { type: "Blocked", error: "You broke the rules", status: 403 },
    };
    assert.deepEqual(await refusal(harness, (client) => client.joinAs("bo")), [refused]);
    const observes = { rollcall: { observe: true } };
    assert.deepEqual(
      await refusal(harness, (client) => client.joinAs("bo", "presence-room", observes)),
      [refused],
    );
    assert.equal(harness.realtime.stats().channels, 0);
    await harness.member("bob");
  });

  it("is refused and closed when it signs in", async () => {
    await using harness = new Harness({ blockReason });
    const client = await harness.connect();
    signIn(client, '{"id":"bo"}');
    assert.deepEqual(await client.next("pusher:error"), { event: "pusher:error", data: error });
    assert.equal((await client.closed).code, 4009);
    assert.equal(harness.realtime.stats().signedInOrLeaving, 0);
  });

  it("learns the code of the close although its client goes on sending", async () => {
    await using harness = new Harness({ blockReason });
    const client = await harness.connect();
    client.joinAs("bo");
    for (let frame = 0; frame < 20; frame++) client.send("pusher:ping", {});
    assert.equal((await client.closed).code, 4009);
  });
});

// The WebSocket of pusher-js in Node starts a timer when it is closed after the server has closed it.
describe("pusher-js of a blocked user", { sanitizeOps: false, sanitizeResources: false }, () => {
  it("is told why by the channel and the connection, and does not connect again", async () => {
    await using harness = new Harness({ blockReason });
    await using pusher = clientOf(harness, "bo");
    const told: unknown[] = [];
    const states: string[] = [];
    pusher.connection.bind("state_change", ({ current }: { current: string }) => {
      states.push(current);
    });
    pusher.connection.bind("error", (failure: unknown) => told.push(failure));
    const room = pusher.subscribe("presence-room");
    for (const channel of ["news", "private-desk", "presence-hall"]) pusher.subscribe(channel);
    room.bind("pusher:subscription_error", (data: unknown) => told.push(data));
    await until(() => pusher.connection.state === "disconnected");
    assert.deepEqual(told[0], { type: "Blocked", error: "You broke the rules", status: 403 });
    assert.ok(JSON.stringify(told.slice(1)).includes('"code":4009'), JSON.stringify(told));
    assert.deepEqual(states, ["connected", "disconnected"]);
    assert.equal(harness.realtime.stats().connections, 0);
  });
});
