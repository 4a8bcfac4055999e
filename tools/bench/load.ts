import { signChannel } from "../../realtime/protocol/signature.ts";
import { ApiCaller } from "./api_caller.ts";
import { app, presenceChannel, publicChannel } from "./bench_app.ts";
import { LoadClient, type LoadListener } from "./load_client.ts";

/** How many clients connect at the same time. */
const atOnce = 50;

/** How long a sent frame may take to arrive, in milliseconds. */
const timeoutMs = 60_000;

/** Many clients of one server, and others that send to them; disposing disconnects all. */
export class Load implements LoadListener, Disposable {
  readonly #port: number;
  readonly #clients: LoadClient[] = [];
  readonly #callers: ApiCaller[] = [];
  #received = 0;
  #awaited = Infinity;
  #arrived = () => {};

  constructor(port: number) {
    this.#port = port;
  }

  /** Called when a client has received bytes. */
  onReceived = () => {};

  received(bytes: number): void {
    this.#received += bytes;
    this.onReceived();
    if (this.#received >= this.#awaited) this.#arrived();
  }

  /** Connects clients up to this number. */
  async connect(count: number): Promise<void> {
    while (this.#clients.length < count) {
      const some = Math.min(atOnce, count - this.#clients.length);
      const batch = Array.from({ length: some }, () => LoadClient.connect(this.#port, this));
      this.#clients.push(...await Promise.all(batch));
    }
  }

  /** The clients from a place on join the public channel. Resolves when all frames are on their way. */
  async subscribe(from = 0): Promise<void> {
    for (const client of this.#clients.slice(from)) {
      await client.subscribe({ channel: publicChannel });
    }
  }

  /** Other servers that can trigger events. */
  async callers(count: number): Promise<ApiCaller[]> {
    const connecting = Array.from({ length: count }, () => ApiCaller.connect(this.#port));
    this.#callers.push(...await Promise.all(connecting));
    return this.#callers;
  }

  /** All join a presence channel, as fast as they can, each as a user of its own. */
  async joinPresence(turn: number): Promise<void> {
    const channel = presenceChannel(turn);
    await Promise.all(this.#clients.map((client, index) => {
      const userId = `user-${1_000 + index}`;
      const channelData = JSON.stringify({ user_id: userId, user_info: { id: userId } });
      const auth = signChannel(app, client.socketId, channel, channelData);
      return client.subscribe({ channel, auth, channel_data: channelData });
    }));
  }

  /** Runs a function and resolves when this many bytes have arrived since. */
  async until(bytes: number, act: () => Promise<unknown>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const expected = this.#awaited = this.#received + bytes;
    this.#arrived = resolve;
    const timer = setTimeout(() => {
      reject(new Error(`${expected - this.#received} of ${bytes} bytes did not arrive`));
    }, timeoutMs);
    await Promise.all([act(), promise]);
    clearTimeout(timer);
    this.#awaited = Infinity;
  }

  /** How many bytes arrive after a function has run. */
  async bytesOf(act: () => Promise<unknown>): Promise<number> {
    const before = this.#received;
    await act();
    await this.quiet();
    return this.#received - before;
  }

  /** Resolves when no bytes have arrived for a while. */
  async quiet(): Promise<void> {
    let before = -1;
    while (before !== this.#received) {
      before = this.#received;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }

  [Symbol.dispose](): void {
    for (const one of [...this.#clients, ...this.#callers]) one.close();
  }
}
