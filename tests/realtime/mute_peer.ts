import { signChannel } from "@/realtime/protocol/signature.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";
import { app } from "./harness.ts";

/** A bare TCP peer that upgrades to a WebSocket, can send frames, and answers no frame. */
export class MutePeer implements Disposable {
  #received = "";

  private constructor(readonly connection: Deno.Conn) {}

  /** Connects and reads up to its socket id; after that it reads nothing. */
  static async connect(port: number, key = app.key): Promise<MutePeer> {
    const peer = new MutePeer(await Deno.connect({ port }));
    const request = [
      `GET /app/${key}?protocol=7 HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      "Upgrade: websocket",
      "Connection: Upgrade",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Version: 13",
    ];
    await peer.connection.write(new TextEncoder().encode(`${request.join("\r\n")}\r\n\r\n`));
    while (!peer.socketId) await peer.read();
    return peer;
  }

  get socketId(): string {
    return /socket_id\\":\\"(\d+\.\d+)/.exec(this.#received)?.[1] ?? "";
  }

  async read(): Promise<void> {
    const buffer = new Uint8Array(4_096);
    const length = await withTimeout(this.connection.read(buffer), "the peer received bytes");
    if (length === null) throw new Error(`The connection ended after: ${this.#received}`);
    this.#received += new TextDecoder().decode(buffer.subarray(0, length));
  }

  /** Reads up to the first ping of the WebSocket protocol, and does not answer it. */
  async readPing(): Promise<void> {
    // A ping without a payload is 0x89 0x00, of which the first byte is no UTF-8.
    while (!this.#received.includes("\ufffd\0")) await this.read();
  }

  async join(userId: string, channel = "presence-room"): Promise<void> {
    const channelData = JSON.stringify({ user_id: userId });
    const auth = signChannel(app, this.socketId, channel, channelData);
    await this.send("pusher:subscribe", { channel, auth, channel_data: channelData });
  }

  /** Sends a text frame, masked with zeros. */
  async send(event: string, data: unknown): Promise<void> {
    const payload = new TextEncoder().encode(JSON.stringify({ event, data }));
    const { length } = payload;
    const frame = new Uint8Array([
      0x81,
      0x80 | 126,
      length >> 8,
      length & 0xff,
      0,
      0,
      0,
      0,
      ...payload,
    ]);
    await this.connection.write(length < 126 ? shortFrame(payload) : frame);
  }

  [Symbol.dispose](): void {
    this.connection.close();
  }
}

function shortFrame(payload: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array([0x81, 0x80 | payload.length, 0, 0, 0, 0, ...payload]);
}
