import { frameBytes, opcodes, rightHead } from "../fuzz/websocket_frames.ts";
import { upgradeRequest } from "../fuzz/websocket_peer.ts";

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
