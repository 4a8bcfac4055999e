import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { WebSocketPeer } from "../../fuzz/websocket_peer.ts";
import { type Attack, repeat, strangerHeaders, type Target, together } from "../attack.ts";

const channel = "presence-chart";

/** Sockets with a wrong key, whose closes are not answered. */
export const refusedSockets: Attack = {
  name: "refused sockets that stay",
  environment: { MAX_CONNECTIONS: "400" },
  run: async ({ port }) => {
    await repeat(() => WebSocketPeer.connect(port, "no-such-key", strangerHeaders));
  },
};

/** As many open sockets as the server takes. */
export const openSockets: Attack = {
  name: "as many sockets as it takes",
  environment: { MAX_CONNECTIONS: "1500" },
  run: async (target) => {
    await together(10, () => repeat(() => connect(target)));
  },
};

/** Public channels, each of another name. */
export const publicChannels: Attack = {
  name: "public channels by the thousand",
  run: async (target) => {
    await together(200, async (n) => {
      const peer = await connect(target);
      for (let m = 0; m < 100; m++) await subscribe(peer, `flood-${n}-${m}`);
    });
    await repeat(() => connect(target));
  },
};

/** Public channels that are occupied and vacated again, each of which is a webhook event. */
export const webhookEvents: Attack = {
  name: "events for webhooks",
  environment: { WEBHOOK_URL: "http://127.0.0.1:9/" },
  run: async (target) => {
    await together(20, (n) =>
      repeat(async () => {
        await using peer = await connect(target);
        for (let m = 0; peer.canSend && m < 240; m++) {
          await subscribe(peer, `flood-${n}-${m}`);
          await unsubscribe(peer, `flood-${n}-${m}`);
        }
        await peer.settled();
      }));
  },
};

/** A guest on some connections, who joins and leaves the channel of those online. */
export const toggledSubscriptions: Attack = {
  name: "subscriptions that are toggled",
  run: async (target) => {
    await together(20, () => repeat(() => toggle(target)));
  },
};

async function toggle(target: Target): Promise<void> {
  const { peer, authorization } = await guest(target);
  await using _ = peer;
  while (peer.canSend) {
    for (let n = 0; n < 20; n++) {
      await subscribe(peer, channel, authorization);
      await unsubscribe(peer, channel);
    }
    await peer.settled();
    peer.received.length = 1;
  }
}

/** Guests who stay, each on a connection of its own. */
export const guests: Attack = {
  name: "a room full of guests",
  environment: { PRESENCE_MAX_MEMBERS: "400" },
  run: async (target) => {
    await together(20, () =>
      repeat(async () => {
        const { peer, authorization } = await guest(target);
        await subscribe(peer, channel, authorization);
      }));
  },
};

/** Guests who come and go, each of them once. */
export const passingGuests: Attack = {
  name: "guests who come and go",
  run: async (target) => {
    await together(20, () =>
      repeat(async () => {
        const { peer, authorization } = await guest(target);
        await subscribe(peer, channel, authorization);
        await peer.settled();
        await peer[Symbol.asyncDispose]();
      }));
  },
};

/** Frames without a pause: pings, and texts that are none of the protocol. */
export const frameFlood: Attack = {
  name: "a flood of frames",
  run: async (target) => {
    await together(10, (n) =>
      repeat(async () => {
        await using peer = await connect(target);
        while (peer.canSend) await peer.send(n % 2 === 0 ? "x" : '{"event":"pusher:ping"}');
      }));
  },
};

function connect({ port, key }: Target): Promise<WebSocketPeer> {
  return WebSocketPeer.connect(port, key, strangerHeaders);
}

/** A new guest, and the signature with which it joins. */
async function guest(target: Target) {
  const visitor = new HttpVisitor(`http://127.0.0.1:${target.port}`);
  await visitor.get("/", strangerHeaders);
  const peer = await connect(target);
  const form = new URLSearchParams({ socket_id: peer.socketId ?? "", channel_name: channel });
  const headers = { ...strangerHeaders, "x-csrf-token": visitor.csrfToken };
  const { text } = await visitor.send("POST", "/broadcasting/auth", form, headers);
  return { peer, authorization: JSON.parse(text) as Record<string, string> };
}

function subscribe(
  peer: WebSocketPeer,
  channel: string,
  authorization: Record<string, string> = {},
): Promise<void> {
  const data = { channel, ...authorization };
  return peer.send(JSON.stringify({ event: "pusher:subscribe", data }));
}

function unsubscribe(peer: WebSocketPeer, channel: string): Promise<void> {
  return peer.send(JSON.stringify({ event: "pusher:unsubscribe", data: { channel } }));
}
