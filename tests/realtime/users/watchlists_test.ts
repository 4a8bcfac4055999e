import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { BrokerOptions } from "@/realtime/brokers/broker.ts";
import { LocalBroker } from "@/realtime/brokers/local_broker.ts";
import { signUser } from "@/realtime/protocol/signature.ts";
import { Pusher } from "../../fixtures/pusher_js.ts";
import { joined, optionsFor } from "../pusher_clients.ts";
import { ManualClock } from "../manual_clock.ts";
import { app, type Client, Harness, until } from "../harness.ts";

const rules = { watchlist: true };
const status = (name: string, ...user_ids: string[]) => ({ name, user_ids });

async function signedIn(harness: Harness, id: string, watchlist?: unknown): Promise<Client> {
  const client = await harness.connect();
  const userData = JSON.stringify({ id, watchlist });
  const auth = signUser(app, client.socketId, userData);
  client.send("pusher:signin", { auth, user_data: userData });
  await client.next("pusher:signin_success");
  return client;
}

/** The watchlist events that a watcher received, in order. */
async function heard(watcher: Client): Promise<unknown[]> {
  const frames = await watcher.settled();
  return frames.map(({ event, data }) => {
    assert.equal(event, "pusher_internal:watchlist_events");
    return data.events;
  });
}

async function closed(harness: Harness, client: Client): Promise<void> {
  const { connections } = harness.realtime.stats();
  client.close();
  await until(() => harness.realtime.stats().connections === connections - 1);
}

describe("A signed-in user", () => {
  it("gets an event for it on every connection that signed in as it, and no other", async () => {
    await using harness = new Harness();
    const clients = [
      await signedIn(harness, "a"),
      await signedIn(harness, "a"),
      await signedIn(harness, "b"),
    ];
    for (const [index, client] of clients.entries()) {
      client.subscribe(`#server-to-user-${index < 2 ? "a" : "b"}`);
      await client.next("pusher_internal:subscription_succeeded");
    }
    harness.realtime.app("1")?.sendToUser("a", "news", { n: 1 });
    for (const client of clients.slice(0, 2)) {
      assert.deepEqual((await client.settled()).map(({ data }) => data), [{ n: 1 }]);
    }
    assert.deepEqual(await clients[2].settled(), []);
  });

  it("that is terminated loses its connections, signed in or members, with 4009", async () => {
    await using harness = new Harness({ presenceGraceMs: 60_000 });
    const [one, two] = [await signedIn(harness, "a"), await signedIn(harness, "a")];
    const member = await harness.member("a");
    await one.joined("a");
    assert.equal(harness.realtime.app("1")?.connections.terminateUser("a"), 3);
    for (const client of [one, two, member]) assert.equal((await client.closed).code, 4009);
    assert.equal(harness.realtime.app("1")?.connections.terminateUser("a"), 0);
    assert.equal(harness.realtime.stats().signedIn, 0);
  });

  it("is reported to a watcher when it signs in and at its first sign-in and last close only", async () => {
    await using harness = new Harness({ rules });
    await signedIn(harness, "a");
    const watcher = await signedIn(harness, "w", ["a", "b", 10, "b"]);
    assert.deepEqual(await heard(watcher), [[status("online", "a"), status("offline", "b", "10")]]);
    const tabs = [await signedIn(harness, "b"), await signedIn(harness, "b")];
    assert.deepEqual(await heard(watcher), [[status("online", "b")]]);
    await closed(harness, tabs[0]);
    assert.deepEqual(await heard(watcher), []);
    await closed(harness, tabs[1]);
    assert.deepEqual(await heard(watcher), [[status("offline", "b")]]);
    await closed(harness, watcher);
    assert.equal(harness.realtime.stats().watched, 0);
  });

  it("is not reported when it returns within the leave grace, and at once when it is terminated, also within it", async () => {
    const clock = new ManualClock();
    await using harness = new Harness({ rules, clock, presenceGraceMs: 1_000 });
    const watcher = await signedIn(harness, "w", ["a"]);
    await closed(harness, await signedIn(harness, "a"));
    clock.advance(900);
    const again = await signedIn(harness, "a");
    clock.advance(2_000);
    assert.deepEqual(await heard(watcher), [[status("offline", "a")], [status("online", "a")]]);
    await closed(harness, again);
    clock.advance(999);
    assert.deepEqual(await heard(watcher), []);
    clock.advance(1);
    assert.deepEqual(await heard(watcher), [[status("offline", "a")]]);
    assert.equal(harness.realtime.stats().signingOut, 0);
    await signedIn(harness, "a");
    harness.app.connections.terminateUser("a");
    assert.deepEqual((await heard(watcher)).at(-1), [status("offline", "a")]);
    for (const end of ["terminateUser", "closeUser"] as const) {
      await closed(harness, await signedIn(harness, "a"));
      assert.equal(harness.app.connections[end]("a"), 0);
      assert.deepEqual(await heard(watcher), [[status("online", "a")], [status("offline", "a")]]);
    }
    const drained = harness.realtime.drain(0);
    await watcher.closed;
    clock.advance(1_000);
    await drained;
  });

  it("with a watchlist of 101 users gets 4302 as an event and watches none; 100 are watched", async () => {
    await using harness = new Harness({ rules });
    const ids = Array.from({ length: 101 }, (_, index) => `user-${index}`);
    const over = await signedIn(harness, "a", ids);
    assert.deepEqual((await over.settled()).map(({ data }) => data.code), [4302]);
    assert.equal(harness.realtime.stats().watched, 0);
    await signedIn(harness, "a", ids.slice(1));
    assert.equal(harness.realtime.stats().watched, 100);
  });

  it("watches no one when the app does not enable watchlists", async () => {
    await using harness = new Harness();
    const watcher = await signedIn(harness, "w", ["a"]);
    await signedIn(harness, "a");
    assert.deepEqual(await watcher.settled(), []);
  });

  it("is no member of a channel that all servers share, unless the app has watchlists", async () => {
    const calls: string[] = [];
    const broker = (options: BrokerOptions) => {
      const local = new LocalBroker(options);
      const [join, leave] = [local.join.bind(local), local.leave.bind(local)];
      return Object.assign(local, {
        join(...call: Parameters<typeof join>) {
          calls.push(`join ${call[1].id}`);
          join(...call);
        },
        leave(...call: Parameters<typeof leave>) {
          calls.push(`leave ${call[1]}`);
          leave(...call);
        },
      });
    };
    await using harness = new Harness({ broker });
    const first = await signedIn(harness, "a");
    await signedIn(harness, "b");
    await closed(harness, first);
    assert.deepEqual(calls.splice(0), []);
    harness.realtime.replaceApps([{ ...app, watchlist: true }]);
    assert.deepEqual(calls.splice(0), ["join b"]);
    const watcher = await signedIn(harness, "w", ["a", "b"]);
    assert.deepEqual(await heard(watcher), [[status("online", "b"), status("offline", "a")]]);
    harness.realtime.replaceApps([app]);
    assert.deepEqual(calls.splice(0), ["join w", "leave b", "leave w"]);
    await closed(harness, watcher);
    assert.deepEqual(calls.splice(0), []);
    harness.realtime.replaceApps([{ ...app, watchlist: true }]);
    assert.deepEqual(calls.splice(0), ["join b"]);
  });

  it("of pusher-js gets watchlist events, user events, and presence", async () => {
    await using harness = new Harness({ rules });
    const options = { sendsChannelData: false, watchlist: ["friend"] };
    const pusher = new Pusher(app.key, optionsFor(harness, "ann", options));
    const seen: string[] = [];
    for (const name of ["online", "offline"]) {
      pusher.user.watchlist.bind(
        name,
        ({ user_ids }: { user_ids: string[] }) => seen.push(`${name} ${user_ids}`),
      );
    }
    pusher.user.bind("hello", ({ text }: { text: string }) => seen.push(text));
    pusher.signin();
    const room = pusher.subscribe("presence-room");
    await joined(room);
    // The client's types do not have its members.
    assert.equal((room as unknown as { members: { me: { id: string } } }).members.me.id, "ann");
    await until(() => harness.realtime.stats().channels === 2);
    harness.realtime.app("1")?.sendToUser("ann", "hello", { text: "hello ann" });
    await signedIn(harness, "friend");
    await until(() => seen.length === 3);
    assert.deepEqual(seen, ["offline friend", "hello ann", "online friend"]);
    pusher.disconnect();
    await until(() => harness.realtime.stats().connections === 1);
  });
});
