import { withTimeout } from "../fixtures/with_timeout.ts";

/** One end of a TCP connection to a server: keeps what comes, and never fails for being cut off. */
export class Wire implements AsyncDisposable {
  received: Uint8Array = new Uint8Array();
  /** Nothing more comes. */
  readonly ended: Promise<void>;
  readonly #connection: Deno.Conn;
  #hasEnded = false;
  #wake = () => {};

  private constructor(connection: Deno.Conn) {
    this.#connection = connection;
    this.ended = this.#read();
  }

  static async connect(port: number): Promise<Wire> {
    return new Wire(await Deno.connect({ port, hostname: "127.0.0.1" }));
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Sends bytes, as far as the other end takes them. */
  async write(bytes: Uint8Array): Promise<void> {
    try {
      for (let rest = bytes; rest.length > 0;) {
        rest = rest.subarray(await this.#connection.write(rest));
      }
    } catch {
      // The other end has closed.
    }
  }

  /** Says that nothing more is sent. */
  async finish(): Promise<void> {
    await this.#connection.closeWrite().catch(() => {});
  }

  /** Resolves when `found` holds of what has come, or nothing more comes. */
  async until(found: () => boolean, what: string): Promise<void> {
    while (!found() && !this.#hasEnded) {
      await withTimeout(new Promise<void>((resolve) => this.#wake = resolve), what);
    }
  }

  /** Resolves when bytes have arrived, at the end of the stream, or at the timeout. */
  async briefly(milliseconds: number): Promise<void> {
    if (this.received.length > 0 || this.#hasEnded) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Closes the connection at any point. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#connection.close();
    } catch {
      // It is closed.
    }
    await this.ended;
  }

  async #read(): Promise<void> {
    const buffer = new Uint8Array(65_536);
    try {
      while (true) {
        const length = await this.#connection.read(buffer);
        if (length === null) break;
        this.#keep(buffer.subarray(0, length));
      }
    } catch {
      // Cut off.
    }
    this.#hasEnded = true;
    this.#wake();
  }

  #keep(bytes: Uint8Array): void {
    const all = new Uint8Array(this.received.length + bytes.length);
    all.set(this.received);
    all.set(bytes, this.received.length);
    this.received = all;
    this.#wake();
  }
}
