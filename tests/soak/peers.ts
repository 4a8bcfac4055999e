import { signUser } from "@/realtime/protocol/signature.ts";
import {
  frameBytes,
  opcodes,
  rightHead,
  upgradeRequest,
  WebSocketPeer,
} from "../fuzz/websocket_peer.ts";
import { apps } from "../fuzz/apps.ts";
import { rightFrame, written } from "../fuzz/client_frames.ts";

/** A server that takes webhooks. */
export class WebhookReceiver implements AsyncDisposable {
  requests = 0;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor() {
    const options = { port: 0, hostname: "127.0.0.1", onListen() {} };
    this.#server = Deno.serve(options, async (request) => {
      await request.text();
      this.requests++;
      return new Response();
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** A client that joins a public channel and then stops reading. */
export class SlowReader implements Disposable {
  private constructor(readonly connection: Deno.Conn) {}

  static async join(port: number, key: string, channel: string): Promise<SlowReader> {
    const connection = await Deno.connect({ port, hostname: "127.0.0.1" });
    const encoder = new TextEncoder();
    await connection.write(encoder.encode(upgradeRequest(key)));
    let text = "";
    const buffer = new Uint8Array(4_096);
    while (!text.includes("connection_established")) {
      const length = await connection.read(buffer);
      if (length === null) throw new Error(`The server closed a socket: ${text}`);
      text += new TextDecoder().decode(buffer.subarray(0, length));
    }
    const frame = JSON.stringify({ event: "pusher:subscribe", data: { channel } });
    const payload = encoder.encode(frame);
    await connection.write(frameBytes(rightHead(opcodes.text, payload.length), payload));
    return new SlowReader(connection);
  }

  [Symbol.dispose](): void {
    this.connection.close();
  }
}

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
