import { presenceChannel, privateChannel, publicChannel } from "./bench_app.ts";
import { Crowd } from "./crowd.ts";
import { ApiCaller, clientEvent, type LoadClient, type LoadListener } from "./load_client.ts";

/** How long a sent frame may take to arrive, in milliseconds. */
const timeoutMs = 60_000;

/** How many members join, and the first client who is not full. */
interface Members {
  full: number;
  members: number;
}

/** Many clients of one server, and others that send to them; disposing disconnects all. */
export class Load implements LoadListener, Disposable {
  readonly #port: number;
  readonly #crowd = new Crowd({ showsAlive: false });
  readonly #callers: ApiCaller[] = [];
  #received = 0;
  #awaited = Infinity;
  #arrived = () => {};

  constructor(port: number) {
    this.#port = port;
  }

  get #clients(): readonly LoadClient[] {
    return this.#crowd.clients;
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
    await this.#crowd.connect([this.#port], count - this.#clients.length, this);
  }

  /** The clients from a place on join the public channel. Resolves when all frames are on their way. */
  async subscribe(from = 0): Promise<void> {
    for (const client of this.#clients.slice(from)) {
      await client.subscribe({ channel: publicChannel });
    }
  }

  /** The clients join the private channel. */
  async subscribePrivate(): Promise<void> {
    for (const client of this.#clients) await client.subscribePrivate(privateChannel);
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

  /** All join a presence channel, each when the previous one has received something. */
  async joinInTurns(turn: number): Promise<void> {
    for (const [index, client] of this.#clients.entries()) {
      const received = client.next();
      await this.#join(index, presenceChannel(turn));
      await received;
    }
  }

  /**
   * The clients from a place on join a public channel, as fast as they can; of several rooms, which are
   * the ones of this tick and the next ticks, each joins one.
   */
  async joinPublic(turn: number, from: number, rooms = 1): Promise<void> {
    const join = (client: LoadClient, index: number) =>
      client.subscribe({ channel: `${publicChannel}-${turn + index % rooms}` });
    await Promise.all(this.#clients.slice(from).map(join));
  }

  /**
   * Members join a presence channel as fast as they can, the clients from a place on; those before
   * another are full, the others quiet. Rooms as in {@link joinPublic}.
   */
  async joinQuietly(
    turn: number,
    { full, members, from = 0, rooms = 1 }: Members & { from?: number; rooms?: number },
  ): Promise<void> {
    const join = (_: unknown, index: number) =>
      this.#join(from + index, presenceChannel(turn + index % rooms), from + index >= full);
    await Promise.all(Array.from({ length: members }, join));
  }

  /** Clients from a place on join a presence channel and leave it, each once a second. */
  async comeAndGo(
    turn: number,
    { from, clients, seconds }: { from: number; clients: number; seconds: number },
  ): Promise<void> {
    const channel = presenceChannel(turn);
    const start = performance.now();
    for (let step = 0; step < clients * seconds; step++) {
      const index = from + step % clients;
      await this.#join(index, channel, true);
      const wait = start + (step + 1) * 1_000 / clients - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      await this.#clients[index].leave(channel);
    }
  }

  async #join(index: number, channel: string, isQuiet = false): Promise<void> {
    await this.#clients[index].joinPresence(channel, { id: `user-${1_000 + index}`, isQuiet });
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
    this.#crowd.disconnect();
  }

  [Symbol.dispose](): void {
    this.#crowd[Symbol.dispose]();
    for (const caller of this.#callers) caller.close();
  }
}
