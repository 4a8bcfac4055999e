import { Bus } from "../../../cluster/bus/bus.ts";
import { Changes } from "../../../cluster/bus/changes.ts";
import { Orders } from "../../../cluster/bus/orders.ts";
import { ServersOverBus } from "../../../cluster/bus/other_servers.ts";
import { answerOthers } from "../../../cluster/bus/own_answers.ts";
import type { Redis } from "../../../cluster/redis/redis.ts";
import type { LogEntry } from "../../../realtime/options.ts";
import {
  type App,
  type AppConfig,
  type AppOnAllServers,
  RealtimeServer,
} from "../../../realtime/server.ts";
import type { Clock } from "../../../realtime/timing/clock.ts";
import { asConnection, FakeConnection } from "../../realtime/fake_connection.ts";

/** The app of the tests. */
export const app: AppConfig = { id: "1", key: "key", secret: "secret" };

/** The channel of the tests. */
export const room = "presence-room";

/** The part of the connection to Redis that a server of the tests uses. */
type Connection = Pick<
  Redis,
  "command" | "isUp" | "onChange" | "subscribe" | "unsubscribe"
>;

/** One of several servers, with clients without sockets. */
export class BusServer {
  readonly name: string;
  readonly bus: Bus;
  readonly orders: Orders;
  readonly changes: Changes;
  readonly realtime: RealtimeServer;
  readonly logged: LogEntry[] = [];
  readonly #clock: Clock;
  #opened = 0;

  /** @param all the servers with a valid lease, to which this one is added. */
  constructor(
    readonly redis: Connection & { isUp: boolean },
    { number, clock, all, prefix = "test:" }: {
      number: number;
      clock: Clock;
      all: BusServer[];
      prefix?: string;
    },
  ) {
    this.name = `${number}.1`;
    this.#clock = clock;
    const log = (entry: LogEntry) => void this.logged.push(entry);
    const nodes = () => all.map(({ name }) => name);
    this.bus = new Bus({ redis, prefix, serverNumber: number, nodes, clock, log });
    this.orders = new Orders({ bus: this.bus, redis, clock, log });
    this.changes = new Changes(this.orders, redis);
    const others = new ServersOverBus(this.bus, this.orders, clock);
    this.realtime = new RealtimeServer(
      { apps: [app], clock, presenceGraceMs: 0, serverNumber: number },
      others,
    );
    answerOthers({ bus: this.bus, orders: this.orders, realtime: this.realtime, clock });
    all.push(this);
  }

  get app(): App {
    return this.realtime.app(app.id)!;
  }

  get everywhere(): AppOnAllServers {
    return this.realtime.onAllServers(app.id)!;
  }

  /** Opens a connection. */
  connect(): FakeConnection {
    const number = this.name.split(".", 1)[0];
    const fake = new FakeConnection(`${number}.${++this.#opened}`, "", this.app);
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
    this.changes.stop();
    this.orders.stop();
    await this.bus.stop();
    this.app.stop();
  }
}
