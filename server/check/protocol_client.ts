import { z } from "zod";
import { within } from "./http_exchange.ts";
import { addressBelow, type Target } from "./target.ts";
import { createHash } from "node:crypto";
import type { AppCredentials } from "@/realtime/app_config.ts";
import { requestText, signRequest } from "@/realtime/protocol/signature.ts";

/** A received message; `data` is parsed if it is JSON. */
interface ReceivedFrame {
  event: string;
  channel?: string;
  data?: unknown;
}

/** How a WebSocket was closed. */
export interface SocketClose {
  code: number;
  reason: string;
}

/** The WebSocket closed while a client waited for a message. */
export class SocketClosed extends Error {
  override name = "SocketClosed";
  constructor(readonly close: SocketClose) {
    super(`The WebSocket was closed (${close.code})`);
  }
}

const frameSchema = z.object({
  event: z.string(),
  channel: z.string().optional(),
  data: z.unknown(),
});

/** Unread messages beyond this number are dropped, the oldest first. */
const maxFrames = 100;

/** Deno's WebSocket accepts headers, which the browser's types do not declare. */
const SocketWithHeaders = WebSocket as unknown as new (
  url: URL,
  options: { headers: Record<string, string> },
) => WebSocket;

/** The address at which clients open their WebSocket. */
export function socketAddress({ sockets, app }: Target): URL {
  return addressBelow(sockets, `/app/${app.key}?protocol=7&client=rollcall-check&version=1`);
}

/** A minimal Pusher client. Sends nothing by itself, so the caller controls all traffic. */
export class ProtocolClient {
  readonly #socket: WebSocket;
  #frames: ReceivedFrame[] = [];
  #close: SocketClose | undefined;
  #wake = Promise.withResolvers<void>();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#received(data);
    // The close event that follows has the details.
    socket.onerror = () => {};
    socket.onclose = ({ code, reason }) => {
      this.#close ??= { code, reason };
      this.#changed();
    };
  }

  /** Opens a WebSocket as a page of the public address does. Failures show as its close. */
  static open(target: Target): ProtocolClient {
    const headers = { origin: target.pages.origin };
    return new ProtocolClient(new SocketWithHeaders(socketAddress(target), { headers }));
  }

  /** How the WebSocket was closed; undefined while it is not. */
  get closed(): SocketClose | undefined {
    return this.#close;
  }

  /** Sends a message; does nothing unless the WebSocket is open. */
  send(event: string, data: unknown): void {
    if (this.#socket.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify({ event, data }));
    }
  }

  /**
   * Waits for a message; drops those before it.
   *
   * @throws {SocketClosed} when the WebSocket closes before the message arrives.
   * @throws {TimedOut} when the message does not arrive in time.
   */
  next(matches: (frame: ReceivedFrame) => boolean, timeoutMs: number): Promise<ReceivedFrame> {
    return within(timeoutMs, async (signal) => {
      while (!signal.aborted) {
        const frame = this.#take(matches);
        if (frame) return frame;
        if (this.#close) throw new SocketClosed(this.#close);
        await this.#wake.promise;
      }
      throw signal.reason;
    });
  }

  /** Waits until the WebSocket is closed, or the time is over. */
  async waitForClose(milliseconds: number): Promise<void> {
    await this.next(() => false, milliseconds).catch(() => {});
  }

  /** Closes the WebSocket and waits for the peer to confirm, at most for the given time. */
  async end(timeoutMs: number): Promise<void> {
    if (this.#close) return;
    this.#socket.close();
    await this.waitForClose(timeoutMs);
  }

  #received(text: unknown): void {
    const frame = frameSchema.safeParse(parsed(text));
    if (!frame.success) return;
    const { data, ...rest } = frame.data;
    this.#frames.push({ ...rest, data: typeof data === "string" ? parsed(data) ?? data : data });
    if (this.#frames.length > maxFrames) this.#frames.shift();
    this.#changed();
  }

  #take(matches: (frame: ReceivedFrame) => boolean): ReceivedFrame | undefined {
    const index = this.#frames.findIndex(matches);
    if (index < 0) return undefined;
    const [frame] = this.#frames.splice(0, index + 1).slice(-1);
    return frame;
  }

  #changed(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

/**
 * Signs a POST to the HTTP API as Pusher's server libraries do.
 *
 * @returns the path with the signed query.
 */
export function signedPost(app: AppCredentials, path: string, body: string): string {
  const query = [
    `auth_key=${app.key}`,
    `auth_timestamp=${Math.floor(Date.now() / 1_000)}`,
    "auth_version=1.0",
    `body_md5=${createHash("md5").update(body).digest("hex")}`,
  ].join("&");
  const signature = signRequest(app, requestText("POST", path, query));
  return `${path}?${query}&auth_signature=${signature}`;
}
