import type { RealtimeServer } from "../../server.ts";
import type { Redis } from "../redis/redis.ts";
import { ActivityFeed } from "./activity_feed.ts";
import { Bus, type BusOptions } from "./bus.ts";
import { Changes } from "./changes.ts";
import { Orders } from "./orders.ts";
import { type AppStatusAnswer, type PageAnswer, ServersOverBus } from "./servers_over_bus.ts";
import { appStatusQuestion, pageQuestion } from "./questions.ts";
import { answerOthers } from "./own_answers.ts";

/** Options of a {@link ServerBus}. */
export interface ServerBusOptions extends BusOptions {
  redis: Pick<Redis, "command" | "isUp" | "onChange" | "subscribe" | "unsubscribe">;
}

/** What this server asks of others and orders them, and they of it. */
export class ServerBus {
  /** The other servers, as the apps of this one use them. */
  readonly others: ServersOverBus;
  /** What servers read again when another has changed it. */
  readonly changes: Changes;
  /** What the leader adds to the activity log. */
  readonly activity: ActivityFeed;
  readonly bus: Bus;
  readonly #orders: Orders;
  readonly #options: ServerBusOptions;

  constructor(options: ServerBusOptions) {
    const { clock } = this.#options = options;
    const bus = this.bus = new Bus(options);
    this.#orders = new Orders({ ...options, bus });
    this.changes = new Changes({ ...options, bus, orders: this.#orders });
    this.activity = new ActivityFeed({ orders: this.#orders, clock });
    this.others = new ServersOverBus(bus, this.#orders, clock);
  }

  /** Receives messages. Call it before other servers know of this one. @throws {Error} when Redis cannot be reached */
  start(): Promise<void> {
    return this.bus.start();
  }

  /** Answers for a server, and has it carry out the orders of others. Before, there is no answer. */
  serve(realtime: Pick<RealtimeServer, "app">): void {
    const { clock } = this.#options;
    answerOthers({ bus: this.bus, orders: this.#orders, realtime, clock });
  }

  /** Answers how clients of an app fare here. */
  serveStatuses(statusOf: (appId: string) => Omit<AppStatusAnswer, "now">): void {
    const { clock } = this.#options;
    this.bus.answer(appStatusQuestion, ({ app }) => ({ now: clock.date(), ...statusOf(app) }));
  }

  /** Answers requests of pages whose sockets are connected to this server. */
  servePages(answer: (name: string, input: unknown) => Promise<PageAnswer>): void {
    this.bus.answer(pageQuestion, ({ name, input }) => answer(name, input));
  }

  /** Receives and sends nothing more. Never rejects. */
  async stop(): Promise<void> {
    this.activity.stop();
    this.changes.stop();
    this.#orders.stop();
    await this.bus.stop();
  }

  /** The number of entries in memory, by what they are. */
  stats() {
    return { ...this.bus.stats(), ...this.#orders.stats() };
  }
}
