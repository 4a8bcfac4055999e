import { signUser } from "@/realtime/protocol/signature.ts";
import { apps } from "../fuzz/apps.ts";
import { rightFrame, written } from "../fuzz/client_frames.ts";
import { WebSocketPeer } from "../fuzz/websocket_peer.ts";

const [app] = apps;

/**
 * Connects as a new user, signs in with a watchlist, joins channels of every kind, most of
 * them new, and sends client events.
 */
export async function visit(port: number, number: number): Promise<WebSocketPeer> {
  const peer = await WebSocketPeer.connect(port, app.key);
  const socketId = peer.socketId ?? "";
  const userData = JSON.stringify({
    id: `user-${number}`,
    watchlist: [`user-${number - 1}`, `user-${number + 1}`, `offline-${number}`],
  });
  const auth = signUser(app, socketId, userData);
  await peer.send(JSON.stringify({ event: "pusher:signin", data: { auth, user_data: userData } }));
  const data = JSON.stringify({ user_id: `user-${number}` });
  const places = [
    { channel: "lobby" },
    { channel: `public-${number}` },
    { channel: `private-${number}` },
    { channel: `cache-${number}` },
    { channel: `#server-to-user-user-${number}` },
    { channel: `presence-${number}`, data },
    { channel: `presence-group-${number >> 2}`, data },
  ];
  for (const place of places) {
    await peer.send(String(written(rightFrame(place), app, socketId)));
  }
  const event = { event: "client-hello", channel: `presence-group-${number >> 2}`, data: {} };
  for (let count = 0; count < 2; count++) await peer.send(JSON.stringify(event));
  return peer;
}

/** Ends a visit: every fourth leaves its channels first, the others close, half-close or are cut. */
export async function endVisit(peer: WebSocketPeer, number: number): Promise<void> {
  const manner = number % 4;
  if (manner === 0) {
    const data = { channel: `private-${number}` };
    await peer.send(JSON.stringify({ event: "pusher:unsubscribe", data }));
    await peer.close();
  } else if (manner === 1) await peer.close();
  else if (manner === 2) await peer.finish();
  if (manner !== 3) await peer.ended();
  await peer[Symbol.asyncDispose]();
}
