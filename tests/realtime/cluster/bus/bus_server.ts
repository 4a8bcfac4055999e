import type { Bus } from "@/realtime/cluster/bus/bus.ts";
import type { Changes } from "@/realtime/cluster/bus/changes.ts";
import { ServerBus } from "@/realtime/cluster/bus/server_bus.ts";
import { IgnoredMessages } from "@/realtime/cluster/messages/room_message.ts";
import type { Link } from "@/realtime/cluster/engine.ts";
import type { LogEntry } from "@/realtime/options.ts";
import {
  type App,
  type AppConfig,
  type AppOnAllServers,
  RealtimeServer,
} from "@/realtime/server.ts";
import type { Clock } from "@/realtime/timing/clock.ts";
import { asConnection, FakeConnection } from "../../doubles.ts";

/** The app of the tests. */
export const app: AppConfig = { id: "1", key: "key", secret: "secret" };

/** The channel of the tests. */
export const room = "presence-room";

/** One of several servers, with clients without sockets. */
export class BusServer {
  readonly name: string;
  readonly servers: ServerBus;
  readonly realtime: RealtimeServer;
  readonly logged: LogEntry[] = [];
  readonly ignored: IgnoredMessages;
  readonly #clock: Clock;
  #opened = 0;

  /** @param all the servers with a valid lease, to which this one is added. */
  constructor(
    readonly link: Link & { isUp: boolean },
    { number, clock, all, prefix = "test:", presenceGraceMs = 0, isStarting = false }: {
      number: number;
      clock: Clock;
      all: BusServer[];
      prefix?: string;
      presenceGraceMs?: number;
      isStarting?: boolean;
    },
  ) {
    this.name = `${number}.1`;
    this.#clock = clock;
    const log = (entry: LogEntry) => void this.logged.push(entry);
    const ignored = this.ignored = new IgnoredMessages(log);
    const nodes = () => all.map(({ name }) => name);
    this.servers = new ServerBus({
      link,
      prefix,
      serverNumber: number,
      nodes,
      clock,
      ignored,
      log,
    });
    this.realtime = new RealtimeServer(
      { apps: [app], clock, presenceGraceMs, serverNumber: number },
      this.servers.others,
    );
    if (!isStarting) this.servers.serve(this.realtime);
    all.push(this);
  }

  get bus(): Bus {
    return this.servers.bus;
  }

  get changes(): Changes {
    return this.servers.changes;
  }

  get app(): App {
    return this.realtime.app(app.id)!;
  }

  get everywhere(): AppOnAllServers {
    return this.realtime.onAllServers(app.id)!;
  }

  /** Opens a connection. */
  connect(): FakeConnection {
    const number = Number(this.name.split(".", 1)[0]);
    const fake = new FakeConnection(socketOf(number, ++this.#opened), "", this.app);
    Object.assign(fake, { openedAt: this.#clock.now(), lastFrameAt: this.#clock.now() });
    this.app.opened(asConnection(fake));
    return fake;
  }

  /** Opens a connection that joins the room. */
  join(userId: string): FakeConnection {
    const fake = this.connect();
    const member = { id: userId, info: JSON.stringify({ id: userId }) };
    this.app.hub.subscribe(asConnection(fake), room, member);
    return fake;
  }

  /** The number of connections. */
  get open(): number {
    return this.app.connections.size;
  }

  async stop(): Promise<void> {
    await this.servers.stop();
    this.app.stop();
  }
}

/** The id of a socket of a server. */
export function socketOf(serverNumber: number, socket: number): string {
  return `${BigInt(serverNumber) << 32n}.${socket}`;
}

/** Topics in memory, which the connections of several servers share. Messages arrive within the call. */
export class MemoryTopics {
  /** Every message that was published, with its topic. */
  readonly published: { readonly topic: string; readonly text: string }[] = [];
  readonly #connections = new Set<MemoryRedis>();

  /** A connection of another server. */
  connect(): MemoryRedis {
    const connection = new MemoryRedis(this);
    this.#connections.add(connection);
    return connection;
  }

  /** Delivers a message, also one that no server would send. @returns how many received it */
  publish(topic: string, text: string): number {
    this.published.push({ topic, text });
    const receivers = [...this.#connections].filter((one) => one.isUp && one.topics.has(topic));
    for (const { topics } of receivers) topics.get(topic)?.(text);
    return receivers.length;
  }
}

/** The part of a connection that messages use. */
export class MemoryRedis implements Link {
  readonly topics = new Map<string, (message: string) => void>();
  readonly #listeners = new Set<(isUp: boolean) => void>();
  readonly #all: MemoryTopics;
  #isUp = true;

  constructor(all: MemoryTopics) {
    this.#all = all;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Cuts the connection, or restores it. */
  set isUp(isUp: boolean) {
    this.#isUp = isUp;
    for (const listener of this.#listeners) listener(isUp);
  }

  onChange(listener: (isUp: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publish(topic: string, text: string): Promise<number> {
    if (!this.#isUp) return Promise.reject(new Error("no connection"));
    return Promise.resolve(this.#all.publish(topic, text));
  }

  subscribe(topic: string, listener: (message: string) => void): Promise<void> {
    this.topics.set(topic, listener);
    return Promise.resolve();
  }

  unsubscribe(topic: string): Promise<void> {
    this.topics.delete(topic);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.topics.clear();
    return Promise.resolve();
  }
}
