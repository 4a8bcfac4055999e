import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import { rollcall } from "@/packages/client/src/rollcall.ts";
import { online } from "@/packages/client/src/svelte.ts";
import type { Member } from "@/packages/client/types/index.d.ts";
import type LaravelEcho from "laravel-echo";
import type { Pusher } from "../../fixtures/pusher_js.ts";
import { FakeClient, type FakePresence } from "./fake_client.ts";

/** The types take the clients that there are; nothing calls it. */
export const takesAll = (
  pusher: Pusher,
  echo: LaravelEcho<"pusher">,
  reverb: LaravelEcho<"reverb">,
) => [pusher, echo, reverb].map((client) => rollcall(client));

const name = "presence-chart";

describe("a presence channel that a page has joined", () => {
  let time: FakeTime;
  let client: FakeClient;
  const { addEventListener } = globalThis;

  beforeEach(() => {
    time = new FakeTime();
    client = new FakeClient();
    client.connection.state = "connected";
    Object.assign(globalThis, { addEventListener() {} });
  });
  afterEach(() => {
    time.restore();
    Object.assign(globalThis, { addEventListener });
  });

  function channel(): FakePresence {
    const channel = client.channel(name);
    assert.ok(channel, "it is subscribed to");
    return channel;
  }

  it("is found by its name with and without its prefix, by a client and by Echo", () => {
    const echo = { connector: { pusher: client } };
    const [one, other] = [rollcall(client).join("chart"), rollcall(echo).join(name)];
    channel().has(["7", "8"]);
    assert.deepEqual([client.subscribed, one.count, other.count], [[name], 2, 2]);
  });

  it("refuses an Echo without pusher-js with an error that says what it takes", () => {
    for (const other of [{ connector: {} }, { connector: { socket: {} } }]) {
      assert.throws(() => rollcall(other), /an Echo that uses pusher-js, or a client of pusher-js/);
    }
  });

  it("calls back with the number and the members, as they come and go", () => {
    const counts: number[] = [];
    const lists: string[] = [];
    const presence = rollcall(client).join("chart")
      .onCount((count) => counts.push(count))
      .onMembers((members) => lists.push(members.map(({ id }) => id).join()));
    assert.equal(presence.count, null);
    channel().has(["7"]);
    channel().has(["7", "8"], "pusher:member_added");
    channel().has(["8"], "pusher:member_removed");
    channel().has(["8"]);
    assert.deepEqual(counts, [1, 2, 1]);
    assert.deepEqual(lists, ["7", "7,8", "8", "8"]);
    assert.deepEqual(presence.members, [{ id: "8", info: { id: "8" } }]);
  });

  it("calls back at once where everything is known already", () => {
    client.subscribe(name).has(["7", "8"]);
    const known: unknown[] = [];
    rollcall(client).join("chart")
      .onCount((count) => known.push(count))
      .onMembers((members) => known.push(members.length));
    assert.deepEqual(known, [2, 2]);
  });

  it("keeps the number of a room whose members get nothing else", () => {
    const counts: number[] = [];
    rollcall(client).join("chart").onCount((count) => counts.push(count));
    channel().has(["7"]);
    channel().emit("rollcall:count", { users: 16_000, as_of: 1 });
    channel().has(["7"]);
    channel().emit("rollcall:count", { users: 15_998, as_of: 2 });
    assert.deepEqual(counts, [1, 16_000, 15_998]);
  });

  it("calls back with a member whose info changed, and has it in the list", () => {
    const updates: Member[] = [];
    const infos: unknown[] = [];
    rollcall(client).join("chart")
      .onUpdate((member) => updates.push(member))
      .onMembers(([{ info }]) => infos.push(info));
    channel().has(["7"]);
    channel().emit("rollcall:member_updated", { user_id: "7", user_info: { status: "away" } });
    assert.deepEqual(updates, [{ id: "7", info: { status: "away" } }]);
    assert.deepEqual(infos, [{ id: "7" }, { status: "away" }]);
  });

  it("is left a second after the last part of the page has left it, not for the next page", () => {
    const first = rollcall(client).join("chart");
    const second = rollcall(client).join("chart");
    const { size } = channel();
    first.leave();
    first.leave();
    time.tick(10_000);
    second.leave();
    time.tick(900);
    const next = rollcall(client).join("chart");
    time.tick(10_000);
    assert.deepEqual([channel().size, client.subscribed], [size, [name]]);
    const joined = channel();
    next.leave();
    time.tick(1_000);
    assert.deepEqual([client.channels.size, joined.size], [0, 0]);
  });

  it("calls nothing back that has left", () => {
    const counts: number[] = [];
    const left = rollcall(client).join("chart").onCount((count) => counts.push(count));
    rollcall(client).join("chart");
    channel().has(["7"]);
    left.leave();
    channel().has(["7", "8"], "pusher:member_added");
    assert.deepEqual(counts, [1]);
  });

  it("stays subscribed where the app had joined it itself", () => {
    const own = client.subscribe(name);
    rollcall(client).join("chart").leave();
    time.tick(1_000);
    assert.deepEqual([client.channel(name), own.size], [own, 0]);
  });

  it("is joined again after the app left it without the package", () => {
    const before = rollcall(client).join("chart");
    client.unsubscribe(name);
    const after = rollcall(client).join("chart");
    before.leave();
    time.tick(1_000);
    channel().has(["7"]);
    assert.deepEqual([after.count, client.subscribed], [1, [name, name]]);
  });

  for (const error of [{}, { status: 503 }, { status: 429 }, { status: 408 }, { status: 0 }]) {
    it(`is tried again after ${JSON.stringify(error)}, until it succeeds`, () => {
      rollcall(client).join("chart");
      for (let failures = 1; failures <= 3; failures++) {
        channel().emit("pusher:subscription_error", error);
        time.tick(2_000);
        assert.equal(client.subscribed.length, failures + 1);
      }
      channel().has(["7"]);
      time.tick(600_000);
      assert.equal(client.subscribed.length, 4);
    });
  }

  for (const status of [401, 403, 404, 419, 4_009]) {
    it(`is not tried again after status ${status}`, () => {
      rollcall(client).join("chart");
      channel().emit("pusher:subscription_error", { status });
      time.tick(600_000);
      assert.equal(client.subscribed.length, 1);
    });
  }

  it("is a store for Svelte in a browser, and empty on a server that renders", () => {
    const store = online(() => client, "chart");
    const seen: (number | null)[] = [];
    store.subscribe(({ count }) => seen.push(count))();
    assert.deepEqual([seen, client.subscribed], [[null], []]);
    Object.assign(globalThis, { document: {} });
    try {
      const leave = store.subscribe(({ count }) => seen.push(count));
      channel().has(["7", "8"]);
      leave();
      time.tick(1_000);
      assert.deepEqual([seen, client.channels.size], [[null, null, 2, 2], 0]);
    } finally {
      Reflect.deleteProperty(globalThis, "document");
    }
  });
});
