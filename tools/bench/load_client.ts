import { signChannel } from "@/realtime/protocol/signature.ts";
import { app, eventData, privateChannel, publicChannel } from "./bench_app.ts";
import { signedPost } from "@/server/check/protocol_client.ts";

/** An event of a client, to the other subscribers of the private channel. */
export const clientEvent = frameOf(
  JSON.stringify({ event: "client-update", channel: privateChannel, data: eventData }),
);

/** The key of an app and what its users' subscriptions are signed with. */
type Credentials = Parameters<typeof signChannel>[0] & { key: string };

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
  readonly #credentials: Credentials;
  #isReading = true;
  #pauseMs = 0;
  #next = () => {};

  private constructor(connection: Deno.Conn, listener: LoadListener, credentials: Credentials) {
    this.#connection = connection;
    this.#listener = listener;
    this.#credentials = credentials;
  }

  /** Connects, and waits for the socket id. */
  static async connect(
    port: number,
    listener: LoadListener,
    credentials: Credentials = app,
  ): Promise<LoadClient> {
    const connection = await Deno.connect({ port, hostname: "127.0.0.1" });
    const client = new LoadClient(connection, listener, credentials);
    await connection.write(upgradeRequest(port, credentials.key));
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

  async subscribePrivate(channel: string): Promise<void> {
    await this.subscribe({ channel, auth: signChannel(this.#credentials, this.socketId, channel) });
  }

  /** Joins a presence channel as a user. */
  async joinPresence(
    channel: string,
    { id, isQuiet }: { id: string; isQuiet: boolean },
  ): Promise<void> {
    const rollcall = isQuiet ? { quiet: true } : undefined;
    const data = JSON.stringify({ user_id: id, user_info: { id }, rollcall });
    const auth = signChannel(this.#credentials, this.socketId, channel, data);
    await this.subscribe({ channel, auth, channel_data: data });
  }

  async leave(channel: string): Promise<void> {
    await this.send(
      frameOf(JSON.stringify({ event: "pusher:unsubscribe", data: { channel } })),
    );
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

/**
 * Another server that triggers events over one connection that stays open. Every call is the same
 * bytes, signed once, so that the caller costs next to nothing.
 */
export class ApiCaller {
  readonly #connection: Deno.Conn;
  readonly #request: Uint8Array<ArrayBuffer>;
  readonly #buffer = new Uint8Array(4_096);

  private constructor(connection: Deno.Conn, port: number) {
    this.#connection = connection;
    this.#request = triggerRequest(port);
  }

  static async connect(port: number): Promise<ApiCaller> {
    return new ApiCaller(await Deno.connect({ port, hostname: "127.0.0.1" }), port);
  }

  /** Triggers one event and waits for the answer, which is `{}`. */
  async trigger(): Promise<void> {
    await this.#connection.write(this.#request);
    let answer = "";
    while (!answer.endsWith("\r\n\r\n{}")) {
      const length = await this.#connection.read(this.#buffer);
      if (length === null) throw new Error("The server closed a connection");
      answer += new TextDecoder().decode(this.#buffer.subarray(0, length));
      if (!answer.startsWith("HTTP/1.1 200 ")) throw new Error(`The server answered ${answer}`);
    }
  }

  close(): void {
    this.#connection.close();
  }
}

function triggerRequest(port: number): Uint8Array<ArrayBuffer> {
  const data = JSON.stringify(eventData);
  const body = JSON.stringify({ name: "update", channel: publicChannel, data });
  const address = signedPost(app, `/apps/${app.id}/events`, body);
  const lines = [
    `POST ${address} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  ];
  return new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n${body}`);
}
