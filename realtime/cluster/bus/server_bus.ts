import { groupedPages } from "../../channels/members.ts";
import type { App, RealtimeServer } from "../../server.ts";
import type { Clock } from "../../timing/clock.ts";
import type { AppOrder } from "../../other_servers.ts";
import { appOrderKinds, closeEarlier, Orders } from "./commands.ts";
import { Bus, type BusOptions } from "./bus.ts";
import type { Order } from "./messages.ts";
import * as questions from "./questions.ts";
import { appStatusQuestion, pageQuestion } from "./questions.ts";
import type { Redis } from "../redis/redis.ts";
import { ActivityFeed } from "./activity_feed.ts";
import { Changes } from "./changes.ts";
import { type AppStatusAnswer, type PageAnswer, ServersOverBus } from "./servers_over_bus.ts";

/** An order that is older concerns the connections of its time only, in milliseconds. */
const lateMs = 2_000;

/** What the other servers ask and order. */
interface OwnAnswersOptions {
  bus: Bus;
  orders: Orders;
  realtime: Pick<RealtimeServer, "app">;
  clock: Clock;
}

/** Answers what other servers ask of this one's connections, and carries out their orders. */
function answerOthers({ bus, orders, realtime, clock }: OwnAnswersOptions): void {
  answerQuestions(bus, realtime, clock);
  for (const [name, kind] of Object.entries(appOrderKinds)) {
    orders.obey(kind as Order<{ app: string }>, ({ app: id, ...data }, at) => {
      const app = realtime.app(id);
      // The kind's form is that of the orders with its name.
      const order = { name, ...data } as AppOrder;
      if (!app) return;
      if (clock.now() - at > lateMs && order.name !== "reconnectPages") {
        closeEarlier(app, order, at);
      } else carryOut(app, order);
    });
  }
}

function carryOut(app: App, order: AppOrder): void {
  if (order.name === "closeUser") app.connections.closeUser(order.userId, order.options);
  else if (order.name === "closeSession") {
    app.connections.closeSession(order.sessionId, order.options);
  } else if (order.name === "terminateUser") app.connections.terminateUser(order.userId);
  else if (order.name === "reconnectUser") app.connections.reconnectUser(order.userId);
  else app.connections.reconnectPages(order.channel, order);
}

function answerQuestions(bus: Bus, realtime: Pick<RealtimeServer, "app">, clock: Clock): void {
  bus.answer(questions.claimQuestion, ({ app, socket, user, session }) => {
    const owner = { userId: user, sessionId: session };
    return { isClaimed: realtime.app(app)?.connections.claim(socket, owner) ?? true };
  });
  bus.answer(questions.membersQuestion, ({ app: id, channel, users, hasPages }) => {
    const app = realtime.app(id);
    const asked = new Set(users);
    const members = hasPages
      ? app?.presence.members(channel, asked)
      : app?.presence.users(channel, asked);
    const answer = (members ?? []).map((
      { userId: user, since, connections, lastSeenAt: seen, pages },
    ) => (
      { user, since, connections, seen, pages: pages?.slice(0, questions.maxPagesOfUser) ?? [] }
    ));
    return { now: clock.date(), members: answer };
  });
  bus.answer(
    questions.openPagesQuestion,
    ({ app, channel }) => groupedPages(realtime.app(app)?.presence.openPages(channel) ?? []),
  );
  bus.answer(questions.sessionsQuestion, ({ app, among }) => {
    const open = realtime.app(app)?.connections.sessionIds();
    return among.filter((id) => open?.has(id));
  });
  bus.answer(
    questions.connectionsQuestion,
    ({ app }) => realtime.app(app)?.connections.size ?? 0,
  );
}

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
