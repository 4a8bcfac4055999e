import { signChannel } from "../../realtime/signature.ts";
import { app, channel } from "./server.ts";

/** A WebSocket client over bare TCP that sends frames and throws away what comes. */
class LoadClient {
  socketId = "";

  private constructor(readonly connection: Deno.Conn, readonly load: Load) {}

  static async connect(port: number, load: Load): Promise<LoadClient> {
    const client = new LoadClient(await Deno.connect({ port, hostname: "127.0.0.1" }), load);
    client.connection.write(upgradeRequest(port));
    let text = "";
    const buffer = new Uint8Array(1_024);
    while (!client.socketId) {
      const length = await client.connection.read(buffer);
      if (length === null) throw new Error("The server closed a socket");
      text += new TextDecoder().decode(buffer.subarray(0, length));
      client.socketId = /socket_id\\":\\"(\d+\.\d+)/.exec(text)?.[1] ?? "";
    }
    client.#drain();
    return client;
  }

  async #drain(): Promise<void> {
    const buffer = new Uint8Array(65_536);
    try {
      while (true) {
        const length = await this.connection.read(buffer);
        if (length === null) return;
        this.load.received += length;
      }
    } catch {
      // Closed at the end of a run.
    }
  }

  async send(data: unknown): Promise<void> {
    const payload = new TextEncoder().encode(JSON.stringify({ event: "pusher:subscribe", data }));
    const { length } = payload;
    const size = length < 126 ? [0x80 | length] : [0xfe, length >> 8, length & 0xff];
    await this.connection.write(new Uint8Array([0x81, ...size, 0, 0, 0, 0, ...payload]));
  }
}

/** Many clients of one server. */
export class Load {
  /** Bytes that came after the connections were established. */
  received = 0;
  readonly #clients: LoadClient[] = [];

  constructor(readonly port: number) {}

  async connect(count: number): Promise<void> {
    while (this.#clients.length < count) {
      const some = Math.min(50, count - this.#clients.length);
      const batch = Array.from({ length: some }, () => LoadClient.connect(this.port, this));
      this.#clients.push(...await Promise.all(batch));
    }
  }

  /** All join a public channel. */
  async subscribe(): Promise<void> {
    for (const client of this.#clients) await client.send({ channel: "news" });
    await this.quiet();
  }

  /** All join the presence channel, as fast as they can, each as a user of its own. */
  async joinPresence(): Promise<void> {
    await Promise.all(this.#clients.map((client, index) => {
      const userId = `user-${1_000 + index}`;
      const channelData = JSON.stringify({ user_id: userId, user_info: { id: userId } });
      const auth = signChannel(app, client.socketId, channel, channelData);
      return client.send({ channel, auth, channel_data: channelData });
    }));
    await this.quiet();
  }

  /** Resolves when nothing came for a while. */
  async quiet(): Promise<void> {
    let before = -1;
    while (before !== this.received) {
      before = this.received;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }

  close(): void {
    for (const { connection } of this.#clients) connection.close();
  }
}

function upgradeRequest(port: number): Uint8Array<ArrayBuffer> {
  const lines = [
    `GET /app/${app.key}?protocol=7 HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
  ];
  return new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`);
}
