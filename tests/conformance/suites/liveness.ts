import assert from "node:assert/strict";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { MutePeer } from "../../realtime/mute_peer.ts";
import { sources, Suite } from "../suite.ts";
import { next } from "../pusher_client.ts";
import { AppHarness } from "../harness.ts";

export const liveness = new Suite("liveness", "Liveness");

liveness.rule(
  "liveness.ping",
  "`pusher:ping` is answered with `pusher:pong`, `pusher:pong` with nothing.",
  sources.protocol,
  async (harness) => {
    const client = await harness.connected();
    client.send_event("pusher:pong", {});
    await client.settled();
    const [, ...frames] = client.socket.received;
    assert.deepEqual(frames, [{ event: "pusher:pong", data: "{}" }]);
  },
);

liveness.rule(
  "liveness.client-pings",
  "A client that received nothing for its activity timeout pings, gets the pong and stays " +
    "connected.",
  sources.protocol,
  async (harness) => {
    const client = await harness.connected({
      options: { activityTimeout: 50, pongTimeout: 5_000 },
    });
    for (let silence = 0; silence < 3; silence++) await next(client.connection, "message");
    const pings = client.socket.sent.filter(({ event }) => event === "pusher:ping");
    assert.ok(pings.length >= 3);
    assert.equal(client.connection.state, "connected");
    assert.equal(client.attempts.length, 1);
  },
);

liveness.rule(
  "liveness.server-pings",
  "The server pings (WebSocket pings, which browsers answer themselves): a silent client stays " +
    "connected.",
  sources.protocol,
  async () => {
    await using harness = await AppHarness.alone({ idleTimeoutSeconds: 2 });
    const client = await harness.connected();
    await untilGivenUp(harness);
    await client.settled();
    assert.equal(client.attempts.length, 1);
    assert.deepEqual(client.socket.sent, [{ event: "pusher:ping", data: {} }]);
  },
);

liveness.rule(
  "liveness.mute-peer",
  "A client that answers no ping is removed after the idle timeout (25 s), however much is sent " +
    "to it: only what a client sends is a sign of life.",
  sources.protocol,
  async () => {
    await using harness = await AppHarness.alone({ idleTimeoutSeconds: 2 });
    const watcher = await harness.connected();
    const room = await watcher.joined("presence-room");
    const added = next(room, "pusher:member_added");
    using mute = await MutePeer.connect(harness.server.port, harness.app.key);
    const member = { user_id: "ghost" };
    const { auth, channel_data } = harness.library()
      .authorizeChannel(mute.socketId, "presence-room", member);
    await mute.send("pusher:subscribe", { channel: "presence-room", auth, channel_data });
    await added;
    let gone = false;
    const removed = next<{ id: string }>(room, "pusher:member_removed");
    removed.finally(() => gone = true).catch(() => {});
    while (!gone) {
      // One after the other, so that the watcher gets round to answering its own pings.
      const heard = next(room, "news");
      await harness.library().trigger("presence-room", "news", {});
      await heard;
    }
    assert.equal((await removed).id, "ghost");
  },
);

liveness.rule(
  "liveness.any-frame",
  "Every frame of a client is a sign of life, not only an answer to a ping.",
  sources.protocol,
  async () => {
    await using harness = await AppHarness.alone({ idleTimeoutSeconds: 2 });
    using talker = await MutePeer.connect(harness.server.port, harness.app.key);
    for (let pings = 0; pings < 3; pings++) {
      await untilPinged(talker);
      await talker.send("pusher:ping", {});
    }
  },
);

liveness.deviation(
  "liveness.4201",
  "A client that answers no ping is closed with 1001, not 4201: pusher-js reconnects after a " +
    "second instead of at once. 4201 means that a client no longer takes any data.",
  sources.protocol,
);

/** A peer that answers nothing comes, and is given up: so long the idle time is. */
async function untilGivenUp(harness: AppHarness): Promise<void> {
  using mute = await MutePeer.connect(harness.server.port, harness.app.key);
  const end = performance.now() + timeoutMs;
  while (await readSome(mute) !== null) assert.ok(performance.now() < end, "it is given up");
}

/** Reads up to the next ping; fails when the connection ends before. */
async function untilPinged(peer: MutePeer): Promise<void> {
  while (true) {
    const bytes = await readSome(peer);
    assert.ok(bytes, "the connection ended");
    if (bytes.includes(pingOpcode)) return;
  }
}

/** The first byte of a WebSocket ping (RFC 6455, 5.2); no text of the protocol has it. */
const pingOpcode = 0x89;

/** How long a ping, or the end, may take, in milliseconds: more than twice the default idle time. */
const timeoutMs = 240_000;

async function readSome({ connection }: MutePeer): Promise<Uint8Array | null> {
  const buffer = new Uint8Array(4_096);
  const length = await withTimeout(connection.read(buffer), "the peer received bytes", timeoutMs);
  return length === null ? null : buffer.subarray(0, length);
}
