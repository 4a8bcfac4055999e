import { app } from "./bench_app.ts";

/** The listener of a client. */
export interface LoadListener {
  /**
   * Called with the number of bytes received after the connection is established, and with these bytes,
   * which are others after it has returned.
   */
  received(bytes: number, chunk: Uint8Array): void;
}

/** A WebSocket client over bare TCP that sends frames and counts the bytes it receives. */
export class LoadClient {
  socketId = "";
  readonly #connection: Deno.Conn;
  readonly #listener: LoadListener;
  #isReading = true;
  #pauseMs = 0;
  #next = () => {};

  private constructor(connection: Deno.Conn, listener: LoadListener) {
    this.#connection = connection;
    this.#listener = listener;
  }

  /** Connects, and waits for the socket id. */
  static async connect(port: number, listener: LoadListener, key = app.key): Promise<LoadClient> {
    const connection = await Deno.connect({ port, hostname: "127.0.0.1" });
    const client = new LoadClient(connection, listener);
    await connection.write(upgradeRequest(port, key));
    let text = "";
    const buffer = new Uint8Array(1_024);
    while (!client.socketId) {
      const length = await connection.read(buffer);
      if (length === null) throw new Error("The server closed a socket");
      text += new TextDecoder().decode(buffer.subarray(0, length));
      if (!text.startsWith("HTTP/1.1 101 ")) throw new Error(`The server answered ${text}`);
      client.socketId = /socket_id\\":\\"(\d+\.\d+)/.exec(text)?.[1] ?? "";
    }
    client.#read();
    return client;
  }

  async #read(): Promise<void> {
    const buffer = new Uint8Array(16_384);
    try {
      while (this.#isReading) {
        const length = await this.#connection.read(buffer);
        if (length === null) return;
        this.#listener.received(length, buffer.subarray(0, length));
        this.#next();
        const hasAll = length < buffer.length;
        if (this.#pauseMs && hasAll) await new Promise((later) => setTimeout(later, this.#pauseMs));
      }
    } catch {
      // The socket is closed at the end of a run.
    }
  }

  async subscribe(data: { channel: string; auth?: string; channel_data?: string }): Promise<void> {
    await this.send(frameOf(JSON.stringify({ event: "pusher:subscribe", data })));
  }

  /** Resolves when more is received. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#next = resolve;
    });
  }

  /** Sends a frame; see {@link frameOf}. */
  async send(frame: Uint8Array<ArrayBuffer>): Promise<void> {
    let sent = 0;
    while (sent < frame.length) sent += await this.#connection.write(frame.subarray(sent));
  }

  /** Says that it is alive; it answers none of the pings that ask for it. */
  async ping(): Promise<void> {
    await this.send(frameOf(JSON.stringify({ event: "pusher:ping", data: {} })));
  }

  /** Reads only so often from now on, in milliseconds: a read costs less than each frame of it would. */
  readEvery(milliseconds: number): void {
    this.#pauseMs = milliseconds;
  }

  /** Reads nothing from now on. */
  stopReading(): void {
    this.#isReading = false;
  }

  close(): void {
    this.#connection.close();
  }
}

function upgradeRequest(port: number, key: string): Uint8Array<ArrayBuffer> {
  const lines = [
    `GET /app/${key}?protocol=7 HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
  ];
  return new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`);
}

/** A text frame of a client, masked with zeros. */
export function frameOf(text: string): Uint8Array<ArrayBuffer> {
  const payload = new TextEncoder().encode(text);
  const { length } = payload;
  const size = length < 126 ? [0x80 | length] : [0xfe, length >> 8, length & 0xff];
  return new Uint8Array([0x81, ...size, 0, 0, 0, 0, ...payload]);
}
