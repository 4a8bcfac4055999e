import { z } from "zod";
import { within } from "./timeout.ts";
import { below, type Target } from "./target.ts";

/** A frame as it came; `data` is parsed where it is JSON. */
export interface ReceivedFrame {
  event: string;
  channel?: string;
  data?: unknown;
}

/** Why a socket was closed. */
export interface Closing {
  code: number;
  reason: string;
}

/** What a client waits for did not come, as the socket is closed. */
export class SocketClosed extends Error {
  override name = "SocketClosed";
  constructor(readonly closing: Closing) {
    super(`The socket was closed (${closing.code})`);
  }
}

const frameSchema = z.object({
  event: z.string(),
  channel: z.string().optional(),
  data: z.unknown(),
});

/** More frames than a test has to do with. */
const maxFrames = 100;

/** Deno's WebSocket takes headers, which the browser's types do not know. */
const SocketWithHeaders = WebSocket as unknown as new (
  url: URL,
  options: { headers: Record<string, string> },
) => WebSocket;

/** The address at which clients open their socket. */
export function socketAddress({ sockets, app }: Pick<Target, "sockets" | "app">): URL {
  return below(sockets, `/app/${app.key}?protocol=7&client=rollcall-check&version=1`);
}

/** A client of the protocol without a library: what it says and hears is all there is on the wire. */
export class ProtocolClient {
  readonly #socket: WebSocket;
  #frames: ReceivedFrame[] = [];
  #closing: Closing | undefined;
  #wake = Promise.withResolvers<void>();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#received(data);
    // The event that follows says all there is to say.
    socket.onerror = () => {};
    socket.onclose = ({ code, reason }) => {
      this.#closing ??= { code, reason };
      this.#changed();
    };
  }

  /** Opens a socket as a page of the public address does. What comes of it, the first frame tells. */
  static open(target: Target): ProtocolClient {
    const headers = { origin: target.pages.origin };
    return new ProtocolClient(new SocketWithHeaders(socketAddress(target), { headers }));
  }

  /** Why it was closed; undefined while it is not. */
  get closing(): Closing | undefined {
    return this.#closing;
  }

  send(event: string, data: unknown): void {
    if (this.#socket.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify({ event, data }));
    }
  }

  /**
   * The next frame that is asked for; those before it are dropped.
   *
   * @throws {SocketClosed} when the socket is closed before it comes.
   * @throws {TimedOut} when it does not come in time.
   */
  next(isIt: (frame: ReceivedFrame) => boolean, patienceMs: number): Promise<ReceivedFrame> {
    return within(patienceMs, async (signal) => {
      while (!signal.aborted) {
        const frame = this.#take(isIt);
        if (frame) return frame;
        if (this.#closing) throw new SocketClosed(this.#closing);
        await this.#wake.promise;
      }
      throw signal.reason;
    });
  }

  /** Waits until the socket is closed or the time is over. */
  async closed(milliseconds: number): Promise<void> {
    await this.next(() => false, milliseconds).catch(() => {});
  }

  /** Says goodbye; a peer that does not answer is waited for no longer than so. */
  async end(patienceMs: number): Promise<void> {
    if (this.#closing) return;
    this.#socket.close();
    await this.closed(patienceMs);
  }

  #received(text: unknown): void {
    const frame = frameSchema.safeParse(parsed(text));
    if (!frame.success) return;
    const { data, ...rest } = frame.data;
    this.#frames.push({ ...rest, data: typeof data === "string" ? parsed(data) ?? data : data });
    if (this.#frames.length > maxFrames) this.#frames.shift();
    this.#changed();
  }

  #take(isIt: (frame: ReceivedFrame) => boolean): ReceivedFrame | undefined {
    const index = this.#frames.findIndex(isIt);
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
