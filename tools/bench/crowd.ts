import { LoadClient, type LoadListener } from "./load_client.ts";

/** How often each client shows that it is there, in milliseconds; a silent one is closed after 30 s. */
const aliveEveryMs = 10_000;

/** In how many turns they do so one after another, as thousands at once would delay what is measured. */
const aliveTurns = 20;

/** How many clients connect at the same time. */
const atOnce = 50;

/** The listener of clients whose frames do not matter. */
export const unread: LoadListener = { received() {} };

/** Clients of one or several servers; disposing disconnects all. */
export class Crowd implements Disposable {
  readonly #clients: LoadClient[] = [];
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  /** When each shows that it is there; a place in the list would change when others go. */
  readonly #turns = new Map<LoadClient, number>();
  #turn = 0;
  #admitted = 0;

  /** @param showsAlive whether the server closes clients that are silent */
  constructor({ showsAlive } = { showsAlive: true }) {
    if (showsAlive) this.#timer = setInterval(() => this.#showAlive(), aliveEveryMs / aliveTurns);
  }

  get clients(): readonly LoadClient[] {
    return this.#clients;
  }

  /** Connects clients, spread evenly over the ports. */
  async connect(ports: number[], count: number, listener = unread): Promise<void> {
    for (let done = 0; done < count; done += atOnce) {
      const some = Array.from(
        { length: Math.min(atOnce, count - done) },
        (_, index) => LoadClient.connect(ports[(done + index) % ports.length], listener),
      );
      for (const client of await Promise.all(some)) this.admit(client);
    }
  }

  /** Connects a client. */
  async add(port: number, listener = unread): Promise<LoadClient> {
    return this.admit(await LoadClient.connect(port, listener));
  }

  /** Adds a client that is connected. */
  admit(client: LoadClient): LoadClient {
    this.#clients.push(client);
    this.#turns.set(client, this.#admitted++ % aliveTurns);
    return client;
  }

  /** Forgets a client, which is closed or about to be. */
  remove(client: LoadClient): void {
    const index = this.#clients.indexOf(client);
    if (index >= 0) this.#clients.splice(index, 1);
    this.#turns.delete(client);
  }

  /** All join a presence channel as quiet members, at a rate per second. */
  async join(channel: string, perSecond: number): Promise<void> {
    const join = (client: LoadClient, index: number) =>
      client.joinPresence(channel, { id: `user-${10_000 + index}`, isQuiet: true });
    await paced(this.#clients, perSecond, join);
  }

  /** All leave a channel, at a rate per second. */
  async leave(channel: string, perSecond: number): Promise<void> {
    await paced(this.#clients, perSecond, (client) => client.leave(channel));
  }

  /** All subscribe to a public channel. */
  async subscribe(channel: string): Promise<void> {
    for (const client of this.#clients) await client.subscribe({ channel });
  }

  #showAlive(): void {
    this.#turn = (this.#turn + 1) % aliveTurns;
    for (const [client, turn] of this.#turns) {
      // A client whose server was killed cannot.
      if (turn === this.#turn) client.ping().catch(() => {});
    }
  }

  /** All disconnect at once. */
  disconnect(): void {
    this.#turns.clear();
    for (const client of this.#clients.splice(0)) client.close();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.disconnect();
  }
}

/** Does something for each, at a rate per second; what is late is done at once. */
async function paced<Each>(
  all: Each[],
  perSecond: number,
  act: (each: Each, index: number) => Promise<unknown>,
): Promise<void> {
  const start = performance.now();
  for (const [index, each] of all.entries()) {
    const wait = start + index * 1_000 / perSecond - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    await act(each, index);
  }
}

/** How long frames may take to come, in milliseconds. */
const timeoutMs = 60_000;

/** Counts the frames that contain a word, among all that clients receive. */
export class FrameCounter implements LoadListener {
  count = 0;
  /** When the first and the last one came, by `performance.now`. */
  firstAt = 0;
  lastAt = 0;
  readonly #word: string;
  readonly #waiting = new Set<() => void>();
  #rest = "";

  constructor(word: string) {
    this.#word = word;
  }

  received(_bytes: number, chunk: Uint8Array): void {
    const parts = (this.#rest + new TextDecoder().decode(chunk)).split(this.#word);
    // What follows the last one can be the beginning of another.
    this.#rest = parts.at(-1)!.slice(1 - this.#word.length);
    if (parts.length === 1) return;
    this.lastAt = performance.now();
    this.firstAt ||= this.lastAt;
    this.count += parts.length - 1;
    for (const check of this.#waiting) check();
  }

  /**
   * Waits until there are as many as given.
   *
   * @throws {Error} when they do not come
   */
  reach(count: number): Promise<void> {
    if (this.count >= count) return Promise.resolve();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#waiting.delete(check);
      reject(new Error(`Of ${count} frames with ${this.#word}, ${this.count} came`));
    }, timeoutMs);
    const check = () => {
      if (this.count < count) return;
      this.#waiting.delete(check);
      clearTimeout(timer);
      resolve();
    };
    this.#waiting.add(check);
    return promise;
  }

  /** Runs a function and waits until as many more have come as given. */
  async more(count: number, act: () => Promise<unknown>): Promise<void> {
    await Promise.all([this.reach(this.count + count), act()]);
  }
}
