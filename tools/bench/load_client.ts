import { signChannel } from "@/realtime/protocol/signature.ts";
import { app, eventData, privateChannel, publicChannel } from "./bench_app.ts";
import { signedPost } from "@/server/check/protocol_client.ts";

/** An event of a client, to the other subscribers of the private channel. */
export const clientEvent = frameOf(
  JSON.stringify({ event: "client-update", channel: privateChannel, data: eventData }),
);

/** The key of an app and what its users' subscriptions are signed with. */
type Credentials = Parameters<typeof signChannel>[0] & { key: string };

/** Where a server listens. */
export interface Address {
  hostname: string;
  port: number;
  /** Where requests say that they go: the host of the URL, with its port if it has one. */
  host: string;
  /** Before `/app/KEY`; empty for most servers. */
  path: string;
  /** Whether the connection is encrypted. */
  isSecure: boolean;
}

/** The listener of a client. */
export interface LoadListener {
  /**
   * Called with the number of bytes received after the connection is established, and with these bytes,
   * which are others after it has returned.
   */
  received(bytes: number, chunk: Uint8Array): void;
  /** Called when the server has ended the connection. */
  ended?(): void;
}

/** A WebSocket client over bare TCP that sends frames and counts the bytes it receives. */
export class LoadClient {
  socketId = "";
  readonly #connection: Deno.Conn;
  readonly #listener: LoadListener;
  readonly #credentials: Credentials;
  #isReading = true;
  #isClosed = false;
  #pauseMs = 0;
  #goOn = () => {};
  #next = () => {};

  private constructor(connection: Deno.Conn, listener: LoadListener, credentials: Credentials) {
    this.#connection = connection;
    this.#listener = listener;
    this.#credentials = credentials;
  }

  /**
   * Connects, and waits for the socket id.
   *
   * @param server a port of this machine, or an address.
   */
  static async connect(
    server: number | Address,
    listener: LoadListener,
    credentials: Credentials = app,
  ): Promise<LoadClient> {
    const address = typeof server === "number" ? addressHere(server) : server;
    const connection = await open(address);
    const client = new LoadClient(connection, listener, credentials);
    try {
      const rest = await client.#open(address);
      if (rest.length > 0) listener.received(rest.length, rest);
    } catch (error) {
      client.close();
      throw error;
    }
    client.#read();
    return client;
  }

  /** Asks for a socket, and takes the first frame. @returns the bytes after it */
  async #open(address: Address): Promise<Uint8Array> {
    await this.send(upgradeRequest(address, this.#credentials.key));
    let received = new Uint8Array();
    const buffer = new Uint8Array(1_024);
    while (true) {
      const length = await this.#connection.read(buffer);
      if (length === null) throw new Error("The server closed a socket");
      received = new Uint8Array([...received, ...buffer.subarray(0, length)]);
      const text = new TextDecoder().decode(received);
      if (!isSwitching(text)) throw new Error(`The server answered ${text}`);
      const end = endOfFirstFrame(received, text.indexOf(headEnd));
      if (end === undefined || received.length < end) continue;
      this.socketId = /socket_id\\?":\s*\\?"(\d+\.\d+)/.exec(text)?.[1] ?? "";
      if (this.socketId) return received.subarray(end);
      throw new Error(`The server's first frame was ${text.slice(text.indexOf("{"))}`);
    }
  }

  async #read(): Promise<void> {
    const buffer = new Uint8Array(16_384);
    try {
      while (this.#isReading) {
        const length = await this.#connection.read(buffer);
        if (length === null) break;
        this.#listener.received(length, buffer.subarray(0, length));
        this.#next();
        const hasAll = length < buffer.length;
        if (this.#pauseMs && hasAll) await this.#pause();
      }
    } catch {
      // The socket is closed at the end of a run.
    }
    if (this.#isReading && !this.#isClosed) this.#listener.ended?.();
  }

  #pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#pauseMs);
    this.#goOn = () => {
      clearTimeout(timer);
      resolve();
    };
    return promise;
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
    this.#goOn();
  }

  /** Reads nothing from now on. */
  stopReading(): void {
    this.#isReading = false;
  }

  /** Ends the connection without a word, as the system does for a process that was killed. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#connection.close();
  }
}

function addressHere(port: number): Address {
  const hostname = "127.0.0.1";
  return { hostname, port, host: `${hostname}:${port}`, path: "", isSecure: false };
}

async function open({ hostname, port, host, isSecure }: Address): Promise<Deno.Conn> {
  const connection = await Deno.connect({ port, hostname });
  if (!isSecure) return connection;
  // The name in the certificate, also where a proxy is between.
  return await Deno.startTls(connection, { hostname: host.replace(/:\d+$/, "") });
}

/** What is between the head of an answer and the first frame. */
const headEnd = "\r\n\r\n";

/** Whether an answer, or its beginning, is the one that opens a socket. */
function isSwitching(text: string): boolean {
  const expected = "HTTP/1.1 101 ";
  return text.startsWith(expected) || expected.startsWith(text);
}

/** Where the first frame ends, which has fewer than 65,536 bytes; undefined while that is not known. */
function endOfFirstFrame(bytes: Uint8Array, headLength: number): number | undefined {
  const start = headLength + headEnd.length;
  if (headLength < 0 || bytes.length < start + 4) return undefined;
  const size = bytes[start + 1] & 0x7f;
  if (size < 126) return start + 2 + size;
  return start + 4 + (bytes[start + 2] << 8 | bytes[start + 3]);
}

function upgradeRequest({ host, path }: Address, key: string): Uint8Array<ArrayBuffer> {
  const lines = [
    `GET ${path}/app/${key}?protocol=7 HTTP/1.1`,
    `Host: ${host}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
  ];
  return new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`);
}

/** A text frame of a client, masked with zeros. */
export function frameOf(text: string): Uint8Array<ArrayBuffer> {
  return clientFrame(0x81, new TextEncoder().encode(text));
}

/** A frame of a client, masked with zeros; the first byte says of which kind it is. */
export function clientFrame(kind: number, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const { length } = payload;
  const size = length < 126 ? [0x80 | length] : [0xfe, length >> 8, length & 0xff];
  return new Uint8Array([kind, ...size, 0, 0, 0, 0, ...payload]);
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
