import { belongsTo, closeOf } from "../../connections/closing.ts";
import type { Connection } from "../../connections/connection.ts";
import { type Departure, departures } from "../../events/leave_reason.ts";
import type { AppOrder } from "../../other_servers.ts";
import { type Close, closes } from "../../protocol/close_codes.ts";
import type { App } from "../../server.ts";

/** The orders that a server carries out after it was cut off. */
export type LateOrder = Exclude<AppOrder, { name: "reconnectPages" }>;

/**
 * Carries out an order that came late: it closes those connections that were open when it was given.
 * What was signed for them before can be used until then. Connections that opened later are of users who were let in again.
 *
 * @param at when it was given, by the server's clock.
 */
export function closeEarlier(app: Pick<App, "connections">, order: LateOrder, at: number): void {
  const { close, departure } = closingOf(order);
  const theirs = app.connections.all()
    .filter((connection) => connection.openedAt <= at && isMeant(order, connection));
  for (const connection of [...theirs]) connection.fail(close, departure);
}

function isMeant(order: LateOrder, connection: Connection): boolean {
  if (order.name === "closeSession") return connection.owner?.sessionId === order.sessionId;
  return belongsTo(order.userId, connection);
}

function closingOf(order: LateOrder): { close: Close; departure: Departure } {
  if (order.name === "reconnectUser") {
    return { close: closes.signAgain, departure: departures.closed };
  }
  if (order.name === "terminateUser") return { close: closes.terminated, departure: removed };
  const { options } = order;
  return { close: closeOf(options), departure: { ...removed, reason: options.cause ?? "removed" } };
}

const removed: Departure = { reason: "removed", grace: false, isRequested: true };
