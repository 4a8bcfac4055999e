import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { setIdleTimeout } from "@/realtime/connections/deno_sockets.ts";
import { MutePeer } from "../mute_peer.ts";
import { app, Harness, until } from "../harness.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";

describe("A connection", () => {
  it("answers pings and takes pongs", async () => {
    await using harness = new Harness();
    const client = await harness.connect();
    client.send("pusher:pong", {});
    client.send("pusher:ping", {});
    client.sendRaw('{"event":"pusher:ping"}');
    const pong = { event: "pusher:pong", data: {} };
    assert.deepEqual([await client.next("pusher:pong"), await client.next("pusher:pong")], [
      pong,
      pong,
    ]);
  });

  it("with a silent peer is a member no longer than the idle timeout, with or without leave grace", async () => {
    await using harness = new Harness({ idleTimeoutSeconds: 2, presenceGraceMs: 60_000 });
    const ann = await harness.member("ann");
    using mute = await MutePeer.connect(harness.port);
    await mute.join("ghost");
    await ann.next("pusher_internal:member_added");
    // With the grace of a minute, the leave would come long after the limit of this step.
    const { data } = await ann.next("pusher_internal:member_removed");
    assert.deepEqual(data, { user_id: "ghost" });
    assert.equal(harness.realtime.stats().connections, 1);
  });

  it("is closed with 4100 before its unsent bytes exceed the limit, when its peer stops reading", async () => {
    await using harness = new Harness({ maxBufferedBytes: 100_000 });
    const ann = await harness.connect();
    ann.subscribe("news");
    await ann.settled();
    using mute = await MutePeer.connect(harness.port);
    mute.send("pusher:subscribe", { channel: "news" });
    await until(() => harness.realtime.stats().subscriptions === 2);
    const frame = "x".repeat(50_000);
    for (let sent = 0; harness.realtime.stats().subscriptions === 2; sent++) {
      assert.ok(sent < 1_000, "50 MB were taken for a peer that reads nothing");
      harness.app.publish("news", "much", frame);
      await ann.next("much");
    }
    assert.equal(harness.realtime.stats().connections, 1);
    assert.equal(harness.realtime.stats().closing, 1);
    harness.app.publish("news", "after", {});
    await ann.next("after");
  });

  it("is closed with 4201 when its peer takes no byte any more, although no ping reaches it", async () => {
    await using harness = new Harness({ maxBufferedBytes: 1e9, idleTimeoutSeconds: 2 });
    using mute = await MutePeer.connect(harness.port);
    await mute.send("pusher:subscribe", { channel: "news" });
    await until(() => harness.realtime.stats().subscriptions === 1);
    const frame = "ä".repeat(100_000);
    for (let sent = 0; sent < 100; sent++) harness.app.publish("news", "much", frame);
    await until(() => {
      // Large, as the system may take the first ones, and small ones after them, into its own buffers.
      harness.app.publish("news", "more", frame);
      return harness.realtime.stats().connections === 0;
    });
  });

  it("is closed when its peer takes no byte after a ping, so that the runtime cannot end the socket", async () => {
    await using harness = new Harness({ maxBufferedBytes: 1e9, idleTimeoutSeconds: 2 });
    using mute = await MutePeer.connect(harness.port);
    await mute.send("pusher:subscribe", { channel: "news" });
    await mute.readPing();
    const frame = "ä".repeat(100_000);
    for (let sent = 0; sent < 100; sent++) harness.app.publish("news", "much", frame);
    await until(() => harness.realtime.stats().connections === 0);
  });

  it("is sent a member list that exceeds the limit of unsent bytes", async () => {
    await using harness = new Harness({ maxBufferedBytes: 1_000 });
    const clients = [];
    for (let user = 0; user < 30; user++) {
      clients.push(await harness.member(`user-${user}-${"x".repeat(50)}`));
    }
    assert.equal(harness.app.presence.of("presence-room").users, 30);
  });
});

describe("setIdleTimeout", () => {
  it("has an open socket wait longer for its peer, in this version of Deno", async () => {
    const closed: string[] = [];
    const bothClosed = Promise.withResolvers<void>();
    await using harness = new Harness();
    harness.answer = (request) => {
      const { socket, response } = Deno.upgradeWebSocket(request, { idleTimeout: 1 });
      const name = new URL(request.url).pathname;
      socket.onopen = () => {
        socket.send(String.raw`{\"socket_id\":\"1.1\"}`);
        if (name.endsWith("patient")) setIdleTimeout(socket, 2);
      };
      socket.onerror = (event) => event.preventDefault();
      socket.onclose = () => {
        if (!closed.includes(name)) closed.push(name);
        if (closed.length === 2) bothClosed.resolve();
      };
      return response;
    };
    using _patient = await MutePeer.connect(harness.port, "patient");
    using _other = await MutePeer.connect(harness.port, "other");
    await withTimeout(bothClosed.promise, "both sockets had closed");
    assert.deepEqual(closed, ["/app/other", "/app/patient"]);
  });
});

describe("A server", () => {
  it("has Deno send large frames without keeping buffers of their size", async () => {
    await using _harness = new Harness();
    assert.equal(Deno.env.get("DENO_USE_WRITEV"), "1");
  });
});

describe("A drain", () => {
  for (const presenceGraceMs of [0, 1]) {
    it(`closes with 4200, announces no departure and leaves nothing in memory, with a leave grace of ${presenceGraceMs} ms`, async () => {
      await using harness = new Harness({ presenceGraceMs, rules: { joinTimeoutMs: 60_000 } });
      const clients = [
        await harness.member("ann"),
        await harness.connect(),
        await harness.member("bob"),
      ];
      await clients[2].settled();
      const drained = harness.realtime.drain(100);
      for (const client of clients) assert.equal((await client.closed).code, 4200);
      await assert.rejects(clients[2].next("pusher_internal:member_removed"), /closed/);
      await drained;
      for (const [name, size] of harness.sizes) assert.equal(size, 0, name);
    });
  }

  it("closes new sockets with 4100, and refuses sockets of pusher-js before 8.2 with 503", async () => {
    await using harness = new Harness();
    using mute = await MutePeer.connect(harness.port);
    await mute.join("ghost");
    const drained = harness.realtime.drain(100);
    const late = harness.open();
    assert.equal((await late.next("pusher:error")).data.code, 4100);
    assert.equal((await late.closed).code, 4100);
    const url = `http://127.0.0.1/app/${app.key}?protocol=7&client=js&version=8.0.2`;
    const answer = await harness.answer(new Request(url, { headers: { upgrade: "websocket" } }));
    assert.equal(answer.status, 503);
    assert.equal(await answer.text(), "The server is stopping\n");
    await drained;
  });

  it("does not wait for peers that never close", async () => {
    await using harness = new Harness();
    using mute = await MutePeer.connect(harness.port);
    await mute.join("ghost");
    await harness.realtime.drain(0);
    assert.equal(harness.realtime.stats().connections, 0);
  });
});

describe("A server that sends its clients away", () => {
  it("closes them with 4200, and their users leave after the leave grace", async () => {
    await using harness = new Harness({ presenceGraceMs: 60_000 });
    const clients = [await harness.member("ann"), await harness.member("bob")];
    await harness.realtime.sendAway(100);
    for (const client of clients) {
      const { code, reason } = await client.closed;
      assert.deepEqual([code, reason], [4200, "Connect to another server"]);
    }
    const { users } = harness.app.presence.counts("presence-room");
    assert.equal(users, 2);
  });

  it("closes new sockets with 4100, and refuses sockets of pusher-js before 8.2 with 503, until it accepts again", async () => {
    await using harness = new Harness();
    await harness.realtime.sendAway(0);
    const late = harness.open();
    assert.equal((await late.next("pusher:error")).data.code, 4100);
    assert.equal((await late.closed).code, 4100);
    const url = `http://127.0.0.1/app/${app.key}?protocol=7&client=js&version=8.0.2`;
    const answer = await harness.answer(new Request(url, { headers: { upgrade: "websocket" } }));
    assert.equal(answer.status, 503);
    assert.equal(await answer.text(), "Connect to another server\n");
    assert.equal(harness.realtime.isDraining, false);
    harness.realtime.acceptAgain();
    await harness.member("ann");
  });

  it("keeps sockets that are open when it accepts again, and can do so again", async () => {
    await using harness = new Harness();
    const [first, ...others] = [
      await harness.connect(),
      await harness.connect(),
      await harness.connect(),
    ];
    const sent = harness.realtime.sendAway(600_000);
    assert.equal((await first.closed).code, 4200);
    harness.realtime.acceptAgain();
    await withTimeout(sent, "no more clients were sent away");
    for (const client of others) await client.settled();
    await harness.realtime.sendAway(0);
    for (const client of others) assert.equal((await client.closed).code, 4200);
  });

  it("can be stopped meanwhile", async () => {
    await using harness = new Harness();
    const clients = [await harness.connect(), await harness.connect()];
    const sent = harness.realtime.sendAway(600_000);
    await harness.realtime.drain(0);
    for (const client of clients) assert.equal((await client.closed).code, 4200);
    await withTimeout(sent, "no more clients were sent away");
    await harness.realtime.sendAway(0);
  });
});
