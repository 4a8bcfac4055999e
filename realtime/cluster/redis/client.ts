import { createClient } from "@redis/client";
import { isIP } from "node:net";
import { type RedisServer, textOfServer } from "./redis_address.ts";
import { CallDeadlines, noAnswer, readMs } from "../engine.ts";
import type { RedisReply } from "./redis.ts";

/** How a server is reached. */
interface ClientOptions {
  readonly server: RedisServer;
  readonly isTls: boolean;
  readonly user?: string;
  readonly password?: string;
  readonly database?: number;
  /** Of connecting and of each call, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * One connection to one server, which is never mended: once it has failed, it is of no further use. Each call has a
 * deadline.
 */
export class RedisClient {
  readonly #client: ReturnType<typeof newClient>;
  readonly #options: ClientOptions;
  readonly #deadlines: CallDeadlines;
  readonly #changes = new Map<string, Promise<void>>();
  #failure?: Error;
  #onEnd?: () => void;

  private constructor(options: ClientOptions) {
    this.#options = options;
    this.#deadlines = new CallDeadlines(options.timeoutMs);
    this.#client = newClient(options);
    this.#client.on("error", (error) => this.#fail(error));
    this.#client.on("end", () => this.#fail(new Error("the connection was closed")));
  }

  /** @throws {Error} with one line that names the server. */
  static async open(options: ClientOptions): Promise<RedisClient> {
    const client = new RedisClient(options);
    try {
      await within(client.#client.connect(), 2 * options.timeoutMs);
      return client;
    } catch (error) {
      client.close();
      throw new Error(`Redis at ${textOfServer(options.server)}: ${reasonOf(error)}`);
    }
  }

  /** Why the connection is of no further use; absent: it works, as far as is known. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Is called once when the connection fails, or at once if it has. */
  onEnd(listener: () => void): void {
    this.#onEnd = listener;
    if (this.#failure) listener();
  }

  /** @throws {Error} when the server refuses it, or does not answer in time. */
  async call(words: readonly string[]): Promise<RedisReply> {
    if (this.#failure) throw this.#failure;
    return await this.#deadlines.within(this.#client.sendCommand<RedisReply>([...words]));
  }

  /** Receives the messages of topics, from when the promise is fulfilled. */
  subscribe(
    topics: readonly string[],
    listener: (message: string, topic: string) => void,
  ): Promise<void> {
    return this.#change(topics, () => this.#client.subscribe([...topics], listener));
  }

  /** @throws {Error} when the connection fails. */
  unsubscribe(topic: string): Promise<void> {
    return this.#change([topic], () => this.#client.unsubscribe(topic));
  }

  /** Closes the connection at once; calls that wait fail. */
  close(reason = new Error("the connection was closed")): void {
    this.#fail(reason);
  }

  /** One change of a topic at a time: the package forgets a listener when the server has answered. */
  #change(topics: readonly string[], change: () => Promise<void>): Promise<void> {
    const before = topics.flatMap((topic) => this.#changes.get(topic) ?? []);
    const changed = (async () => {
      await Promise.allSettled(before);
      if (this.#failure) throw this.#failure;
      await within(change(), this.#options.timeoutMs);
    })();
    const settled = changed.catch(() => {}).then(() => {
      for (const topic of topics) {
        if (this.#changes.get(topic) === settled) this.#changes.delete(topic);
      }
    });
    for (const topic of topics) this.#changes.set(topic, settled);
    return changed;
  }

  #fail(error: Error): void {
    if (this.#failure) return;
    this.#failure = error;
    // It throws where the package has closed the connection itself.
    if (this.#client.isOpen) this.#client.destroy();
    this.#deadlines.stop();
    this.#onEnd?.();
  }
}

function newClient({ server, isTls, user, password, database, timeoutMs }: ClientOptions) {
  const place = { host: server.host, port: server.port, connectTimeout: timeoutMs };
  const reconnectStrategy = false;
  const name = isIP(server.host) ? {} : { servername: server.host };
  return createClient({
    socket: isTls
      ? { ...place, reconnectStrategy, ...name, tls: true }
      : { ...place, reconnectStrategy },
    ...(user && { username: user }),
    ...(password && { password }),
    ...(database && { database }),
    // The replies of RESP 2 are the same with every server.
    RESP: 2,
    disableOfflineQueue: true,
    // The package's own limit costs each command a timer of five seconds and an exception.
    commandOptions: { timeout: 0 },
    disableClientInfo: true,
    maintNotifications: "disabled",
  });
}

/** Rejects when there is no result in time. What rejects later is handled. */
async function within<Result>(result: Promise<Result>, milliseconds: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(noAnswer(milliseconds));
    // What came while this process was busy is read after the timers that became due meanwhile.
    timer = setTimeout(() => timer = setTimeout(fail, readMs), milliseconds);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** One line for an error of a connection. */
export function reasonOf(error: unknown): string {
  // Connecting to a name with several addresses fails once for each.
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const { message, code } = error as { message?: string; code?: string };
  return (message || code || String(error)).split("\n")[0].trim();
}
