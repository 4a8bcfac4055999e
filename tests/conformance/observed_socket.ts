import { withTimeout } from "../fixtures/with_timeout.ts";
import { type Received, SocketWithHeaders } from "../realtime/harness.ts";

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
