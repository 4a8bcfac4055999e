import { frameBytes, opcodes, rightHead, upgradeRequest } from "../fuzz/websocket_peer.ts";

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
