import { Client, type Received, SocketWithHeaders } from "../realtime/harness.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";

/** Waits until servers have received what they sent each other. */
export type Settle = () => Promise<void>;

/** A client without a library, for frames that no library sends. */
export class BareClient extends Client {
  readonly socket: ObservedSocket;
  readonly #settle: Settle | undefined;

  constructor(socket: ObservedSocket, settle?: Settle) {
    super(socket);
    this.socket = socket;
    this.#settle = settle;
  }

  /** Also what servers sent each other for this client. */
  override async settled(): Promise<Received[]> {
    const frames = await super.settled();
    if (!this.#settle) return frames;
    await this.#settle();
    return [...frames, ...await super.settled()];
  }
}

/** A frame as it was on the wire: `data` is not parsed. */
export type WireFrame = Received & { user_id?: string };

/** A WebSocket for pusher-js whose frames tests can read. */
export class ObservedSocket extends SocketWithHeaders {
  /** Every socket that was opened, in order. */
  static readonly all: ObservedSocket[] = [];

  readonly #sent: (string | Uint8Array<ArrayBuffer>)[] = [];
  readonly received: WireFrame[] = [];
  readonly openedAt = performance.now();
  closedAt = 0;
  readonly #closed: Promise<CloseEvent>;

  constructor(url: string, headers?: Record<string, string>) {
    super(url, { headers });
    ObservedSocket.all.push(this);
    this.addEventListener("message", ({ data }) => this.received.push(JSON.parse(data)));
    this.#closed = new Promise((resolve) =>
      this.addEventListener("close", (event) => {
        this.closedAt = performance.now();
        resolve(event);
      })
    );
  }

  /** How it was closed; waits for it. */
  get closed(): Promise<CloseEvent> {
    return withTimeout(this.#closed, "the socket had closed");
  }

  override send(data: string | Uint8Array<ArrayBuffer>): void {
    this.#sent.push(data);
    super.send(data);
  }

  /** Leaves out the last ping, which was answered. */
  forgetPing(): void {
    const { received } = this;
    received.splice(received.findLastIndex(({ event }) => event === "pusher:pong"), 1);
    const isPing = (data: unknown) => String(data).includes('"pusher:ping"');
    this.#sent.splice(this.#sent.findLastIndex(isPing), 1);
  }

  /** The frames that were sent; all of them JSON. */
  get sent(): WireFrame[] {
    return this.#sent.map((data) => JSON.parse(String(data)));
  }
}
