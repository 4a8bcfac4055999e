import { groupedPages } from "../../channels/open_pages.ts";
import type { App, RealtimeServer } from "../../server.ts";
import type { Clock } from "../../timing/clock.ts";
import type { AppOrder } from "../../other_servers.ts";
import { appOrderKinds } from "./app_orders.ts";
import type { Bus } from "./bus.ts";
import type { Order } from "./kinds.ts";
import { closeEarlier } from "./late_orders.ts";
import type { Orders } from "./orders.ts";
import * as questions from "./questions.ts";

/** An order that is older concerns the connections of its time only, in milliseconds. */
const lateMs = 2_000;

/** What the other servers ask and order. */
export interface OwnAnswersOptions {
  bus: Bus;
  orders: Orders;
  realtime: Pick<RealtimeServer, "app">;
  clock: Clock;
}

/** Answers what other servers ask of this one's connections, and carries out their orders. */
export function answerOthers({ bus, orders, realtime, clock }: OwnAnswersOptions): void {
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
