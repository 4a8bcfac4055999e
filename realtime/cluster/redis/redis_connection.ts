import { createHash } from "node:crypto";
import { parseRedisAddress } from "./redis_address.ts";
import { reasonOf } from "./client.ts";
import { type LinkOptions, RedisLink } from "./link.ts";
import type { Redis, RedisReply, RedisScript } from "./redis.ts";

/** Options of {@link connectRedis}. */
export interface RedisOptions extends Partial<LinkOptions> {
  /** As {@link parseRedisAddress} reads it. */
  readonly url: string;
  /** Is called with one line whenever there is no connection, for another reason than before. */
  readonly onProblem?: (line: string) => void;
}

/** The pauses between two attempts to connect, in milliseconds; the last one for all that follow. */
const pausesMs = [20, 50, 100, 200, 500];

/**
 * Connects, once. Later, a connection that fails is replaced, for as long as it takes.
 *
 * @throws {Error} with one line, without a password, when that fails.
 */
export async function connectRedis(options: RedisOptions): Promise<Redis> {
  const connection = new RedisConnection(options);
  await connection.connect();
  return connection;
}

class RedisConnection implements Redis {
  readonly #address;
  readonly #options: LinkOptions;
  readonly #onProblem: (line: string) => void;
  readonly #listeners = new Set<(isUp: boolean) => void>();
  readonly #topics = new Map<string, (message: string) => void>();
  readonly #digests = new WeakMap<RedisScript, string>();
  #link?: RedisLink;
  #serverId = "";
  #timer?: ReturnType<typeof setTimeout>;
  #failures = 0;
  #problem?: string;
  #attempt: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor({ url, timeoutMs = 2_000, pingMs = 1_000, onProblem = () => {} }: RedisOptions) {
    this.#address = parseRedisAddress(url);
    this.#options = { timeoutMs, pingMs };
    this.#onProblem = onProblem;
  }

  get isUp(): boolean {
    return this.#link !== undefined;
  }

  get serverId(): string {
    return this.#serverId;
  }

  onChange(listener: (isUp: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async command(words: readonly string[]): Promise<RedisReply> {
    return await call(this.#upLink(), words);
  }

  async run(script: RedisScript, args: readonly string[]): Promise<RedisReply> {
    const link = this.#upLink();
    try {
      return await call(link, ["EVALSHA", this.#digestOf(script), "0", ...args]);
    } catch (error) {
      if (!isRedisError(error, "NOSCRIPT")) throw error;
      return await call(link, ["EVAL", script.text, "0", ...args]);
    }
  }

  async publish(topic: string, message: string): Promise<number> {
    return Number(await this.command(["PUBLISH", topic, message]));
  }

  async subscribe(topic: string, listener: (message: string) => void): Promise<void> {
    const link = this.#upLink();
    this.#topics.set(topic, listener);
    try {
      await link.subscriptions.subscribe([topic], this.#receive);
    } catch (error) {
      if (this.#topics.get(topic) === listener) await this.unsubscribe(topic);
      throw error;
    }
  }

  async unsubscribe(topic: string): Promise<void> {
    this.#topics.delete(topic);
    try {
      await this.#link?.subscriptions.unsubscribe(topic);
    } catch {
      // The next connection does not subscribe to it.
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
    clearTimeout(this.#timer);
    this.#link?.close();
    await this.#attempt.catch(() => {});
  }

  /** Opens a link and subscribes to what there is. @throws {Error} with one line. */
  async connect(): Promise<void> {
    const link = await RedisLink.open(this.#address, this.#options);
    try {
      // Others may be added meanwhile, and the connection is not up before all are.
      const subscribed = new Set<string>();
      while (true) {
        const topics = [...this.#topics.keys()].filter((topic) => !subscribed.has(topic));
        if (topics.length === 0) break;
        await link.subscribeAll(topics, this.#receive);
        for (const topic of topics) subscribed.add(topic);
      }
      if (this.#isClosed) throw new Error("the connection was closed");
      if (link.failure) throw link.failure;
    } catch (error) {
      link.close();
      throw error;
    }
    this.#begin(link);
  }

  #begin(link: RedisLink): void {
    this.#failures = 0;
    this.#problem = undefined;
    this.#link = link;
    this.#serverId = link.serverId;
    link.watch(() => this.#end(link));
    this.#notify(true);
  }

  #end(link: RedisLink): void {
    if (this.#link !== link) return;
    this.#link = undefined;
    this.#report(link.failure);
    if (!this.#isClosed) this.#reconnectLater();
    this.#notify(false);
  }

  #reconnectLater(): void {
    const pauseMs = pausesMs[Math.min(this.#failures++, pausesMs.length - 1)];
    // All nodes lose a server at one time, and return at several.
    this.#timer = setTimeout(() => {
      this.#attempt = this.connect().catch((error) => {
        this.#report(error);
        if (!this.#isClosed) this.#reconnectLater();
      });
    }, pauseMs * (0.5 + 0.5 * Math.random()));
  }

  #report(error: unknown): void {
    const line = reasonOf(error);
    if (this.#isClosed || line === this.#problem) return;
    this.#problem = line;
    this.#onProblem(line);
  }

  #notify(isUp: boolean): void {
    for (const listener of [...this.#listeners]) listener(isUp);
  }

  readonly #receive = (message: string, topic: string) => {
    this.#topics.get(topic)?.(message);
  };

  #upLink(): RedisLink {
    if (!this.#link) throw new Error("there is no connection to Redis");
    return this.#link;
  }

  #digestOf(script: RedisScript): string {
    const cached = this.#digests.get(script);
    if (cached !== undefined) return cached;
    const digest = createHash("sha1").update(script.text).digest("hex");
    this.#digests.set(script, digest);
    return digest;
  }
}

async function call(link: RedisLink, words: readonly string[]): Promise<RedisReply> {
  try {
    return await link.commands.call(words);
  } catch (error) {
    // The server became a replica: another one is the master now.
    if (isRedisError(error, "READONLY")) link.close(error);
    throw error;
  }
}

/** Whether Redis refused a command with an error of a kind. */
function isRedisError(error: unknown, kind: string): error is Error {
  return error instanceof Error && error.message.startsWith(`${kind} `);
}
