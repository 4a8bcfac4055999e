import { signChannel } from "@/realtime/protocol/signature.ts";
import { app } from "../bench_app.ts";
import { frameOf, LoadClient, type LoadListener } from "../load_client.ts";

/** How often each client shows that it is there, in milliseconds; a silent one is closed after 30 s. */
const aliveEveryMs = 10_000;

/** How many clients connect at the same time. */
const atOnce = 50;

/** A client and the number of its user. */
interface Person {
  readonly client: LoadClient;
  readonly number: number;
}

/** The listener of clients whose frames do not matter. */
export const unread: LoadListener = { received() {} };

/** Clients of several servers; disposing disconnects all. */
export class Crowd implements Disposable {
  readonly #people: Person[] = [];
  readonly #timer: ReturnType<typeof setInterval> | undefined;

  /** @param showsAlive whether the server closes clients that are silent */
  constructor({ showsAlive } = { showsAlive: true }) {
    if (showsAlive) this.#timer = setInterval(() => this.#showAlive(), aliveEveryMs);
  }

  /** Connects clients, spread evenly over the ports. */
  async connect(ports: number[], count: number): Promise<void> {
    for (let done = 0; done < count; done += atOnce) {
      const some = Array.from(
        { length: Math.min(atOnce, count - done) },
        (_, index) => done + index,
      );
      await Promise.all(some.map((index) => this.add(ports[index % ports.length])));
    }
  }

  /** Connects a client. */
  async add(port: number, listener = unread): Promise<LoadClient> {
    return this.admit(await LoadClient.connect(port, listener));
  }

  /** Adds a client that is connected. */
  admit(client: LoadClient): LoadClient {
    this.#people.push({ client, number: 10_000 + this.#people.length });
    return client;
  }

  /** All join a presence channel as quiet members, at a rate per second. */
  async join(channel: string, perSecond: number): Promise<void> {
    await paced(
      this.#people,
      perSecond,
      ({ client, number }) =>
        joinPresence(client, channel, { id: `user-${number}`, isQuiet: true }),
    );
  }

  /** All leave a channel, at a rate per second. */
  async leave(channel: string, perSecond: number): Promise<void> {
    const frame = frameOf(JSON.stringify({ event: "pusher:unsubscribe", data: { channel } }));
    await paced(this.#people, perSecond, ({ client }) => client.send(frame));
  }

  /** All subscribe to a public channel. */
  async subscribe(channel: string): Promise<void> {
    for (const { client } of this.#people) await client.subscribe({ channel });
  }

  #showAlive(): void {
    // A client whose server was killed cannot.
    for (const { client } of this.#people) client.ping().catch(() => {});
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    for (const { client } of this.#people) client.close();
  }
}

/** A client joins a presence channel. */
export async function joinPresence(
  client: LoadClient,
  channel: string,
  { id, isQuiet }: { id: string; isQuiet: boolean },
): Promise<void> {
  const rollcall = isQuiet ? { quiet: true } : undefined;
  const channelData = JSON.stringify({ user_id: id, user_info: { id }, rollcall });
  const auth = signChannel(app, client.socketId, channel, channelData);
  await client.subscribe({ channel, auth, channel_data: channelData });
}

/** Does something for each, at a rate per second; what is late is done at once. */
async function paced<Each>(
  all: Each[],
  perSecond: number,
  act: (each: Each) => Promise<unknown>,
): Promise<void> {
  const start = performance.now();
  for (const [index, each] of all.entries()) {
    const wait = start + index * 1_000 / perSecond - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    await act(each);
  }
}
