import assert from "node:assert/strict";
import { until } from "../../fixtures/eventually.ts";
import { call } from "../api_call.ts";
import { sources, Suite } from "../suite.ts";
import { next, type PusherClient } from "../pusher_client.ts";
import { AppHarness } from "../harness.ts";

export const closing = new Suite("close", "Close codes, and how pusher-js reacts to them");

closing.deviation(
  "close.4000",
  "4000, TLS required, is not sent: a server either has TLS or not, and redirects no client from " +
    "one to the other.",
  sources.protocol,
);

closing.rule(
  "close.4001",
  "4001: no app has this key. pusher-js stops.",
  sources.protocol,
  async (harness) => await stops(harness.client({ key: "key-of-nobody" }), 4001),
);

closing.rule(
  "close.4003",
  "4003: the app is disabled. pusher-js stops.",
  sources.protocol,
  async (harness) => {
    await harness.set({ enabled: false });
    await stops(harness.client(), 4003);
  },
);

closing.rule(
  "close.4003-open",
  "Disabling an app closes its open connections with 4003.",
  sources.protocol,
  async (harness) => {
    const client = await harness.connected();
    await harness.set({ enabled: false });
    await stops(client, 4003);
  },
);

closing.rule(
  "close.4004",
  "4004: the app has reached its limit of connections. pusher-js stops.",
  sources.protocol,
  async (harness) => {
    await harness.set({ maxConnections: 1 });
    const first = await harness.bare();
    await stops(harness.client(), 4004);
    await first.settled();
  },
);

closing.rule(
  "close.4005",
  "4005: the path names no app. pusher-js stops.",
  sources.protocol,
  async (harness) => await stops(harness.client({ key: `${harness.app.key}/more` }), 4005),
);

closing.deviation(
  "close.4006",
  "4006, a malformed version, is not sent: a version that is not a number from 5 to 7 gets 4007.",
  sources.protocol,
);

closing.rule(
  "close.4007",
  "4007: the protocol version is not 5 to 7. pusher-js stops.",
  sources.protocol,
  async (harness) => {
    for (const version of ["4", "8", "7.0", "x"]) {
      const client = harness.socket(`/app/${harness.app.key}?protocol=${version}`);
      assert.equal((await client.closed).code, 4007);
    }
    await stops(harness.client({ key: `${harness.app.key}?protocol=4&and=` }), 4007);
  },
);

closing.rule(
  "close.4008",
  "4008: the address has no protocol version. pusher-js stops.",
  sources.protocol,
  async (harness) => {
    assert.equal((await harness.socket(`/app/${harness.app.key}`).closed).code, 4008);
    await stops(harness.client({ key: `${harness.app.key}?protocol=&and=` }), 4008);
  },
);

closing.rule(
  "close.4009",
  "4009: the connection is not authorized, or no longer. pusher-js stops.",
  sources.protocol,
  async (harness) => {
    const client = await harness.connected();
    client.signin();
    await client.subscribedAsUser();
    await harness.library().terminateUserConnections("ann");
    await stops(client, 4009);
  },
);

closing.rule(
  "close.4009-origin",
  "If an app names its origins, pages of others get 4009. A client that sends no origin is not a " +
    "page and may connect.",
  sources.protocol,
  async (harness) => {
    await harness.set({ allowedOrigins: ["https://us.example"] });
    const path = `/app/${harness.app.key}?protocol=7`;
    const foreign = harness.socket(path, { origin: "https://them.example" });
    assert.equal((await foreign.closed).code, 4009);
    const own = harness.socket(path, { origin: "https://us.example" });
    await own.next("pusher:connection_established");
    await harness.bare();
  },
);

closing.rule(
  "close.4100",
  "4100: the server is full. pusher-js reconnects after a second, and succeeds when there is " +
    "room.",
  sources.protocol,
  async () => {
    await using harness = await AppHarness.alone({ maxConnections: 1 });
    const first = await harness.bare();
    const client = harness.client();
    const pauses = pausesOf(client);
    await next(client.connection, "connecting_in");
    first.close();
    await client.became("connected");
    const refused = client.attempts.slice(0, -1);
    for (const { closed } of refused) assert.equal((await closed).code, 4100);
    assert.deepEqual(pauses, refused.map(() => 1_000));
  },
);

closing.rule(
  "close.4200",
  "4200: the server stops. pusher-js reconnects at once, gets 4100 for as long as the stop " +
    "takes, and goes on trying.",
  sources.protocol,
  async () => {
    await using harness = await AppHarness.alone({ clockIsStopped: true });
    const client = await harness.connected();
    const pauses = pausesOf(client);
    const others = await Promise.all(Array.from({ length: 8 }, () => harness.bare()));
    await harness.server.drain();
    // The first client of each server is closed, and the stop takes as long as there are others.
    await harness.server.advance(20);
    await until(() => client.attempts.length >= 4, "it had been refused, and tried again");
    const [first, ...refused] = client.attempts.slice(0, 3);
    assert.equal((await first.closed).code, 4200);
    for (const { closed } of refused) assert.equal((await closed).code, 4100);
    pausedOnlyLater(pauses);
    await harness.server.advance(3_000);
    for (const { closed } of others) assert.equal((await closed).code, 4200);
    await harness.server.stop();
    assert.notEqual(client.connection.state, "disconnected");
  },
);

closing.rule(
  "close.4200-partitioned",
  "4200, “Connect to another server”: of several servers, this one alone has lost Redis, for 20 s. " +
    "It closes its sockets over 10 s, and their users stay in the list (`presence.grace`). pusher-js reconnects at " +
    "once. At the same server it gets 4100, and tries again each second until that server reaches Redis " +
    "or the proxy has chosen another one.",
  sources.protocol,
  async () => {
    await using harness = await AppHarness.alone({ presenceGraceMs: 60_000 });
    const client = await harness.connected({ userId: "ann" });
    const pauses = pausesOf(client);
    await client.joined("presence-room");
    await harness.server.sendAway(true);
    await until(() => client.attempts.length >= 3, "it tried again");
    const [first, second] = client.attempts;
    assert.equal((await first.closed).code, 4200);
    assert.equal((await first.closed).reason, "Connect to another server");
    assert.equal((await second.closed).code, 4100);
    pausedOnlyLater(pauses);
    const { users } = await call(harness, { path: "/channels/presence-room/users" });
    assert.deepEqual(users, [{ id: "ann" }]);
    await harness.server.sendAway(false);
    await client.became("connected");
  },
);

closing.rule(
  "close.503",
  "pusher-js before 8.2 is refused with 503 where later versions get 4100: in Node it stops for " +
    "good after two sockets that were closed soon after they opened.",
  sources.pusherJs,
  async () => {
    await using harness = await AppHarness.alone({ maxConnections: 1 });
    const first = await harness.bare();
    const path = `/app/${harness.app.key}?protocol=7&client=js&version=`;
    assert.equal((await harness.socket(`${path}8.2.0`).closed).code, 4100);
    const { received, closed } = harness.socket(`${path}8.1.0`).socket;
    assert.equal((await closed).wasClean, false);
    assert.deepEqual(received, []);
    first.close();
  },
);

closing.rule(
  "close.spread",
  "A stop spreads its closes over a time (3 s): pusher-js has no jitter, so clients that are " +
    "closed together would all reconnect together.",
  sources.pusherJs,
  async () => {
    await using harness = await AppHarness.alone({ clockIsStopped: true });
    const clients = await Promise.all(Array.from({ length: 30 }, () => harness.bare()));
    const open = () => clients.filter(({ socket }) => socket.closedAt === 0);
    await harness.server.drain();
    for (const [milliseconds, left] of [[0, 30], [600, 24], [900, 15], [900, 6], [600, 0]]) {
      await harness.server.advance(milliseconds);
      await until(() => open().length <= left, `${left} clients were left`);
      // An answer would come after a close.
      await Promise.all(open().map((client) => client.settled()));
      assert.equal(open().length, left);
    }
  },
);

closing.deviation(
  "close.4202",
  "4202, inactive, is not sent: silent clients are pinged, and stay if they answer.",
  sources.protocol,
);

closing.rule(
  "close.by-client",
  "A client that disconnects leaves all its channels.",
  sources.connection,
  async (harness) => {
    const [client, other] = [await harness.connected(), await harness.connected({ userId: "bob" })];
    await client.joined("presence-room");
    const room = await other.joined("presence-room");
    const removed = next<{ id: string }>(room, "pusher:member_removed");
    client.disconnect();
    assert.equal((await removed).id, "ann");
  },
);

/** The client is closed with the code and does not come back. */
async function stops(client: PusherClient, code: number): Promise<void> {
  await client.became("disconnected");
  const { attempts } = client;
  assert.equal((await attempts[attempts.length - 1].closed).code, code);
  await longestPause();
  assert.equal(client.connection.state, "disconnected");
  assert.equal(client.attempts.length, attempts.length);
}

/** pusher-js pauses a second at most: another client has had that pause and came back. */
async function longestPause(): Promise<void> {
  await using full = await AppHarness.alone({ maxConnections: 1 });
  await full.bare();
  const client = full.client();
  for (let refused = 0; refused < 2; refused++) await next(client.connection, "connecting_in");
  assert.equal(client.attempts.length, 2);
}

/** How long pusher-js pauses before it connects again, in milliseconds, each time from now on. */
function pausesOf({ timeline }: PusherClient): number[] {
  const pauses: number[] = [];
  const { info } = timeline;
  timeline.info = (event: { action?: string; delay?: number }) => {
    if (event.action === "retry") pauses.push(event.delay!);
    info.call(timeline, event);
  };
  return pauses;
}

/** It came back at once the first time, and after a second each time that it was refused. */
function pausedOnlyLater([first, ...later]: number[]): void {
  assert.equal(first, 0);
  assert.deepEqual(new Set(later), new Set([1_000]));
}
