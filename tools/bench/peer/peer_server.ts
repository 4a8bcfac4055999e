import { z } from "zod";
import { requestText, signRequest } from "@/realtime/protocol/signature.ts";
import { Crowd } from "../crowd.ts";
import type { Address } from "../load_client.ts";
import type { Options } from "./options.ts";
import { jsonOf } from "./report.ts";
import { Subscriber } from "./subscriber.ts";

/** How long a call of the HTTP API may take, in milliseconds. */
const callTimeoutMs = 15_000;

/** How many clients connect at the same time. */
const atOnce = 50;

const count = z.object({ user_count: z.number() });

const users = z.object({ users: z.array(z.object({ id: z.coerce.string() })) });

/** The server that is measured, as its clients and its app's server reach it; disposing disconnects all. */
export class PeerServer implements Disposable {
  readonly address: Address;
  readonly #options: Options;
  readonly #crowd = new Crowd();
  /** Whether clients that are still connecting come too late. */
  #isOver = false;
  /** Channels of another run may have members left. */
  readonly #run = crypto.randomUUID().slice(0, 8);

  constructor(options: Options) {
    this.#options = options;
    this.address = addressOf(options.url);
  }

  /** The name of a channel that no other run uses. */
  channel(name: string): string {
    return `presence-bench-${this.#run}-${name}`;
  }

  /** Connects a client, which is kept alive. */
  async connect(user: string, address = this.address): Promise<Subscriber> {
    const { key, secret } = this.#options;
    const subscriber = await Subscriber.connect(address, { key, secret }, user);
    this.#crowd.admit(subscriber.client);
    if (this.#isOver) this.drop(subscriber);
    return subscriber;
  }

  /** Connects a client, which joins a channel. */
  async join(channel: string, user: string, address?: Address): Promise<Subscriber> {
    const subscriber = await this.connect(user, address);
    try {
      await subscriber.join(channel);
    } catch (error) {
      this.drop(subscriber);
      throw error;
    }
    return subscriber;
  }

  /**
   * Users with these ids join a channel, some at the same time.
   *
   * @throws {Error} with the first reason, when one is refused; those who joined have left again.
   */
  async joinAll(channel: string, ids: string[]): Promise<Subscriber[]> {
    const joined: Subscriber[] = [];
    for (let done = 0; done < ids.length; done += atOnce) {
      const some = ids.slice(done, done + atOnce).map((user) => this.join(channel, user));
      const results = await Promise.allSettled(some);
      joined.push(
        ...results.flatMap((result) => result.status === "fulfilled" ? result.value : []),
      );
      const refused = results.find((result) => result.status === "rejected");
      if (!refused) continue;
      await Promise.all(joined.map((subscriber) => this.leave(subscriber)));
      throw refused.reason;
    }
    return joined;
  }

  /** A client leaves as a browser does. */
  async leave(subscriber: Subscriber): Promise<void> {
    this.#crowd.remove(subscriber.client);
    await subscriber.leave();
  }

  /** A client is gone without a close frame. */
  drop(subscriber: Subscriber): void {
    this.#crowd.remove(subscriber.client);
    subscriber.drop();
  }

  /** The list that a new subscriber of a channel is sent. */
  async freshList(channel: string): Promise<Set<string>> {
    const subscriber = await this.join(channel, `fresh-${crypto.randomUUID().slice(0, 8)}`);
    await this.leave(subscriber);
    return subscriber.members;
  }

  /** How many users a channel has, by the HTTP API. */
  async userCount(channel: string): Promise<number> {
    return (await this.#get(`channels/${channel}`, "info=user_count", count)).user_count;
  }

  /** The users of a channel, by the HTTP API. */
  async userList(channel: string): Promise<Set<string>> {
    const answer = await this.#get(`channels/${channel}/users`, "", users);
    return new Set(answer.users.map(({ id }) => id));
  }

  async #get<Answer>(path: string, query: string, schema: z.ZodType<Answer>): Promise<Answer> {
    const { app: id, key, secret, api } = this.#options;
    const below = new URL(api ?? this.#options.url);
    const base = `${below.protocol.replace("ws", "http")}//${below.host}`;
    const whole = `/apps/${id}/${path}`;
    const parameters = [
      `auth_key=${key}`,
      `auth_timestamp=${Math.floor(Date.now() / 1_000)}`,
      "auth_version=1.0",
      ...query ? [query] : [],
    ].join("&");
    const signature = signRequest({ key, secret }, requestText("GET", whole, parameters));
    const prefix = below.pathname.replace(/\/$/, "");
    const response = await fetch(
      `${base}${prefix}${whole}?${parameters}&auth_signature=${signature}`,
      { signal: AbortSignal.timeout(callTimeoutMs) },
    );
    const text = await response.text();
    if (!response.ok) throw new Error(`The HTTP API answered ${response.status}`);
    const answer = schema.safeParse(jsonOf(text));
    if (answer.success) return answer.data;
    throw new Error(`The HTTP API's answer has another form: ${answer.error.issues[0].message}`);
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#crowd[Symbol.dispose]();
  }
}

function addressOf({ hostname, port, host, pathname, protocol }: URL): Address {
  const isSecure = protocol === "wss:";
  return {
    // Deno connects to an address of IPv6 without its brackets.
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: port ? Number(port) : isSecure ? 443 : 80,
    host,
    path: pathname.replace(/\/$/, ""),
    isSecure,
  };
}
