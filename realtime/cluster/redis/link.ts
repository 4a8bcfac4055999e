import { type RedisAddress, type RedisServer, textOfServer } from "./redis_address.ts";
import { reasonOf, RedisClient } from "./client.ts";

/**
 * The server that takes commands: the one of the address, or the one that a sentinel names.
 *
 * @throws {Error} with one line when no sentinel knows it.
 */
async function masterOf(address: RedisAddress, timeoutMs: number): Promise<RedisServer> {
  const { servers, masterName, isTls } = address;
  if (masterName === undefined) return servers[0];
  const failures: string[] = [];
  for (const server of servers) {
    try {
      const sentinel = await RedisClient.open({ server, isTls, timeoutMs });
      try {
        return serverIn(await sentinel.call(["SENTINEL", "get-master-addr-by-name", masterName]));
      } finally {
        sentinel.close();
      }
    } catch (error) {
      failures.push(`${textOfServer(server)}: ${reasonOf(error)}`);
    }
  }
  throw new Error(`No sentinel names the master ${masterName}: ${failures.join("; ")}`);
}

function serverIn(reply: unknown): RedisServer {
  if (!Array.isArray(reply)) throw new Error("it does not know this name");
  const [host, port] = reply;
  if (typeof host !== "string" || !Number.isInteger(Number(port))) {
    throw new Error("it answered with no address");
  }
  return { host, port: Number(port) };
}

/** How a link is opened and watched, in milliseconds. */
export interface LinkOptions {
  /** Of each call. */
  readonly timeoutMs: number;
  /** Between two pings of a server. */
  readonly pingMs: number;
}

/** Topics in one command: the server answers other clients between two. */
const topicsAtATime = 500;

/** Two connections to the master, one for commands and one for subscriptions. Both end with the first that fails. */
export class RedisLink {
  readonly serverId: string;
  readonly server: RedisServer;
  readonly commands: RedisClient;
  readonly subscriptions: RedisClient;
  readonly #address: RedisAddress;
  readonly #options: LinkOptions;
  #timer?: ReturnType<typeof setTimeout>;

  private constructor(
    address: RedisAddress,
    options: LinkOptions,
    { server, serverId, commands, subscriptions }: Opened,
  ) {
    this.#address = address;
    this.#options = options;
    this.server = server;
    this.serverId = serverId;
    this.commands = commands;
    this.subscriptions = subscriptions;
  }

  /** @throws {Error} with one line that names the server. */
  static async open(address: RedisAddress, options: LinkOptions): Promise<RedisLink> {
    const { timeoutMs } = options;
    const server = await masterOf(address, timeoutMs);
    const { isTls, user, password, database } = address;
    const clientOptions = { server, isTls, user, password, database, timeoutMs };
    const commands = await RedisClient.open(clientOptions);
    try {
      const serverId = await checkServer(commands, server);
      const subscriptions = await RedisClient.open(clientOptions);
      return new RedisLink(address, options, { server, serverId, commands, subscriptions });
    } catch (error) {
      commands.close();
      throw error;
    }
  }

  /** Why the link has failed; absent: it has not. */
  get failure(): Error | undefined {
    return this.commands.failure ?? this.subscriptions.failure;
  }

  /** Subscribes to many topics. @throws {Error} when the link fails. */
  async subscribeAll(
    topics: readonly string[],
    listener: (message: string, topic: string) => void,
  ): Promise<void> {
    for (let start = 0; start < topics.length; start += topicsAtATime) {
      await this.subscriptions.subscribe(topics.slice(start, start + topicsAtATime), listener);
    }
  }

  /** Watches the connections. @param onEnd is called once, when the link has failed or is closed. */
  watch(onEnd: () => void): void {
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      this.close(this.failure);
      onEnd();
    };
    this.commands.onEnd(end);
    this.subscriptions.onEnd(end);
    if (!isOver) this.#pingLater();
  }

  /** Closes both connections. */
  close(reason?: Error): void {
    clearTimeout(this.#timer);
    this.commands.close(reason);
    this.subscriptions.close(reason);
  }

  #pingLater(): void {
    this.#timer = setTimeout(() => {
      this.#ping().then(
        () => this.failure || this.#pingLater(),
        (error) => this.close(error),
      );
    }, this.#options.pingMs);
  }

  /** A server that is frozen keeps its connections, and bytes that are written to them fail nowhere. */
  async #ping(): Promise<void> {
    await Promise.all([this.commands.call(["PING"]), this.subscriptions.call(["PING"])]);
    if (this.#address.masterName === undefined) return;
    // A master that was partitioned from the others still takes commands when another has its place. While
    // no sentinel answers, it stays.
    const master = await masterOf(this.#address, this.#options.timeoutMs).catch(() => this.server);
    if (textOfServer(master) !== textOfServer(this.server)) throw new Error("no master any more");
  }
}

interface Opened {
  server: RedisServer;
  serverId: string;
  commands: RedisClient;
  subscriptions: RedisClient;
}

/** @returns what names the server's life. @throws {Error} with one line when the server is not of use. */
async function checkServer(client: RedisClient, server: RedisServer): Promise<string> {
  let info: string;
  try {
    info = String(await client.call(["INFO"]));
  } catch (error) {
    // A user may be refused this command and no other.
    if (error instanceof Error && error.message.startsWith("NOPERM")) return "";
    throw new Error(`Redis at ${textOfServer(server)}: ${(error as Error).message}`);
  }
  if (/^cluster_enabled:1/m.test(info)) {
    throw new Error(
      `Redis at ${textOfServer(server)} runs in cluster mode; expected one server, or Sentinel`,
    );
  }
  if (/^role:slave/m.test(info)) {
    throw new Error(`Redis at ${textOfServer(server)} is a replica; expected the master`);
  }
  if (/^loading:1/m.test(info)) {
    throw new Error(`Redis at ${textOfServer(server)} is loading its data`);
  }
  // The first changes with a restart, the second when a replica becomes the master, and again when that
  // has had no replica for an hour; then no data are lost, but all users are registered again. `master_replid`
  // changes also whenever a first replica comes.
  return ["run_id", "master_replid2"].flatMap((name) =>
    new RegExp(`^${name}:(\\w+)`, "m").exec(info)?.[1] ?? []
  ).join("-");
}
