import { z } from "zod";
import { withTimeout } from "@/tests/fixtures/with_timeout.ts";
import { type Address, clientFrame, LoadClient, type LoadListener } from "../load_client.ts";
import { FrameReader } from "./frame_reader.ts";

/** How long a server may take to let a client in, in milliseconds. */
const joinTimeoutMs = 60_000;

/** How long a server may take to end a connection that is closed, in milliseconds. */
const closeTimeoutMs = 2_000;

/** How rarely a client reads whose frames do not matter, in milliseconds. */
const idleReadMs = 1_000;

/** A join or a leave, as a subscriber is told of it. */
export interface Change {
  kind: "added" | "removed";
  user: string;
  /** By `performance.now`. */
  at: number;
}

const message = z.object({
  event: z.string(),
  channel: z.string().optional(),
  data: z.unknown(),
});

const userId = z.union([z.string(), z.number()]).transform(String);

const list = z.object({
  presence: z.object({
    ids: z.array(userId).optional(),
    hash: z.record(z.string(), z.unknown()).optional(),
  }),
}).transform(({ presence: { ids, hash = {} } }) => ids ?? Object.keys(hash));

const member = z.object({ user_id: userId });

const refusal = z.object({ message: z.string().optional(), error: z.string().optional() })
  .transform(({ message, error }) => message ?? error ?? "no reason");

/** Who signs. */
type Credentials = NonNullable<Parameters<typeof LoadClient.connect>[2]>;

/**
 * A user's connection, which subscribes to a presence channel and keeps the list as pusher-js does:
 * `here` is the first list, and each `added` and `removed` changes it.
 */
export class Subscriber implements LoadListener {
  readonly user: string;
  /** The ids of the users in the channel, as this one knows them. */
  readonly members = new Set<string>();
  /** Since the list came, in order. */
  readonly changes: Change[] = [];
  /** When it asked to join, by `performance.now`. */
  askedAt = 0;
  hasEnded = false;
  #client: LoadClient | undefined;
  #channel = "";
  readonly #reader: FrameReader;
  readonly #joined = Promise.withResolvers<void>();
  readonly #over = Promise.withResolvers<void>();
  #wake = Promise.withResolvers<void>();

  private constructor(user: string) {
    this.user = user;
    this.#reader = new FrameReader({
      text: (text) => this.#take(text),
      close: (code) => this.#end(new Error(`The server closed the connection, with code ${code}`)),
      answer: (frame) => void this.#client?.send(frame).catch(() => {}),
    });
    this.#joined.promise.catch(() => {});
  }

  static async connect(
    address: Address,
    credentials: Credentials,
    user: string,
  ): Promise<Subscriber> {
    const subscriber = new Subscriber(user);
    const connecting = LoadClient.connect(address, subscriber, credentials);
    subscriber.#client = await withTimeout(connecting, "a client had its socket", joinTimeoutMs);
    return subscriber;
  }

  get client(): LoadClient {
    if (this.#client) return this.#client;
    throw new Error("The client is not connected");
  }

  /**
   * Joins a channel and waits for the list.
   *
   * @throws {Error} with the server's reason, when it does not come.
   */
  async join(channel: string): Promise<void> {
    this.#channel = channel;
    this.askedAt = performance.now();
    await this.client.joinPresence(channel, { id: this.user, isQuiet: false });
    await withTimeout(this.#joined.promise, "a client had the list of members", joinTimeoutMs);
  }

  /** From now on its frames do not matter, and to read them should cost little. */
  idle(): void {
    this.#reader.skips = true;
    this.client.readEvery(idleReadMs);
  }

  /** Leaves as a browser does whose page closes: says so, and waits a little for the server to end it. */
  async leave(): Promise<void> {
    const goingAway = new Uint8Array([1_001 >> 8, 1_001 & 0xff]);
    await this.client.send(clientFrame(0x88, goingAway)).catch(() => {});
    this.client.readEvery(0);
    if (!this.hasEnded) await within(this.#over.promise, closeTimeoutMs);
    this.client.close();
  }

  /** Ends without a close frame: the system does this for a process that was killed. */
  drop(): void {
    this.client.close();
  }

  /** When it was told of a change; waits for it, and is undefined if it does not come in time. */
  async told(
    kind: Change["kind"],
    user: string,
    timeoutMs: number,
    since = 0,
  ): Promise<number | undefined> {
    const end = performance.now() + timeoutMs;
    while (true) {
      const found = this.changes.findLast((change) =>
        change.kind === kind && change.user === user && change.at >= since
      );
      if (found) return found.at;
      const left = end - performance.now();
      if (left <= 0 || this.hasEnded) return undefined;
      await within(this.#wake.promise, left);
    }
  }

  received(_bytes: number, chunk: Uint8Array): void {
    try {
      this.#reader.read(chunk);
    } catch (error) {
      this.client.stopReading();
      this.#end(new Error("The server sent a frame that cannot be read", { cause: error }));
    }
  }

  ended(): void {
    this.#end(new Error("The server ended the connection"));
  }

  #end(reason: Error): void {
    this.hasEnded = true;
    this.#joined.reject(reason);
    this.#over.resolve();
    this.#changed();
  }

  #take(text: string): void {
    const { event, channel, data } = message.parse(JSON.parse(text));
    if (event === "pusher:error" || event === "pusher:subscription_error") {
      const reason = refusal.safeParse(valueOf(data)).data ?? "no reason";
      return this.#joined.reject(new Error(`The server refused a client: ${reason}`));
    }
    if (channel !== this.#channel) return;
    if (event === "pusher_internal:subscription_succeeded") this.#here(list.parse(valueOf(data)));
    if (event === "pusher_internal:member_added") this.#note("added", valueOf(data));
    if (event === "pusher_internal:member_removed") this.#note("removed", valueOf(data));
  }

  #here(ids: string[]): void {
    this.members.clear();
    for (const id of ids) this.members.add(id);
    this.#joined.resolve();
  }

  #note(kind: Change["kind"], value: unknown): void {
    const user = member.parse(value).user_id;
    if (kind === "added") this.members.add(user);
    else this.members.delete(user);
    this.changes.push({ kind, user, at: performance.now() });
    this.#changed();
  }

  #changed(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }
}

/** The data of the protocol's events is JSON in a string; some servers send the value itself. */
function valueOf(data: unknown): unknown {
  return typeof data === "string" ? JSON.parse(data) : data;
}

async function within(awaited: Promise<void>, milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([awaited, promise]);
  clearTimeout(timer);
}
