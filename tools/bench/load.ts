import { signChannel } from "../../realtime/protocol/signature.ts";
import { ApiCaller } from "./api_caller.ts";
import { app, eventData, presenceChannel, privateChannel, publicChannel } from "./bench_app.ts";
import { frameOf, LoadClient, type LoadListener } from "./load_client.ts";

const clientEvent = frameOf(
  JSON.stringify({ event: "client-update", channel: privateChannel, data: eventData }),
);

/** How many clients connect at the same time. */
const atOnce = 50;

/** How long a sent frame may take to arrive, in milliseconds. */
const timeoutMs = 60_000;

/** Many clients of one server, and others that send to them; disposing disconnects all. */
export class Load implements LoadListener, Disposable {
  readonly #port: number;
  #clients: LoadClient[] = [];
  readonly #callers: ApiCaller[] = [];
  #received = 0;
  #awaited = Infinity;
  #arrived = () => {};

  constructor(port: number) {
    this.#port = port;
  }

  /** Called when a client has received bytes. */
  onReceived = () => {};

  /** When the last bytes came, by `performance.now`. */
  lastReceivedAt = 0;

  received(bytes: number): void {
    this.lastReceivedAt = performance.now();
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

  /** The clients join the private channel. */
  async subscribePrivate(): Promise<void> {
    for (const client of this.#clients) {
      const auth = signChannel(app, client.socketId, privateChannel);
      await client.subscribe({ channel: privateChannel, auth });
    }
  }

  /** A client sends an event to all others. */
  async sendEvent(): Promise<void> {
    await this.#clients[0].send(clientEvent);
  }

  /** Other servers that can trigger events. */
  async callers(count: number): Promise<ApiCaller[]> {
    const connecting = Array.from({ length: count }, () => ApiCaller.connect(this.#port));
    this.#callers.push(...await Promise.all(connecting));
    return this.#callers;
  }

  /** All join a presence channel, as fast as they can, each as a user of its own. */
  async joinPresence(turn: number): Promise<void> {
    await Promise.all(this.#clients.map((_, index) => this.#join(index, presenceChannel(turn))));
  }

  /** All join a presence channel, each when the one before has received something. */
  async joinInTurns(turn: number): Promise<void> {
    for (const [index, client] of this.#clients.entries()) {
      const received = client.next();
      await this.#join(index, presenceChannel(turn));
      await received;
    }
  }

  async #join(index: number, channel: string): Promise<void> {
    const client = this.#clients[index];
    const userId = `user-${1_000 + index}`;
    const channelData = JSON.stringify({ user_id: userId, user_info: { id: userId } });
    const auth = signChannel(app, client.socketId, channel, channelData);
    await client.subscribe({ channel, auth, channel_data: channelData });
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

  /** The clients read nothing from now on. */
  stopReading(): void {
    for (const client of this.#clients) client.stopReading();
  }

  /** All clients disconnect at once. */
  disconnect(): void {
    for (const client of this.#clients) client.close();
    this.#clients = [];
  }

  [Symbol.dispose](): void {
    for (const one of [...this.#clients, ...this.#callers]) one.close();
  }
}
