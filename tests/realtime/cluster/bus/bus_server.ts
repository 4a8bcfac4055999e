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
import { asConnection, FakeConnection } from "../../fake_connection.ts";

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
    { number, clock, all, prefix = "test:", presenceGraceMs = 0 }: {
      number: number;
      clock: Clock;
      all: BusServer[];
      prefix?: string;
      presenceGraceMs?: number;
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
    this.servers.serve(this.realtime);
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
