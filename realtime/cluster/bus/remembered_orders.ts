import type { ReceivedOrder } from "./bus.ts";

/** How long orders are remembered, in milliseconds: longer than a server runs without reaching others. */
const keptMs = 24 * 60 * 60_000;

/**
 * The latest orders of all servers, given or received. A signature for a socket can be used until the socket
 * closes, however late a server that has the socket learns that the user's connections were to close.
 */
export class RememberedOrders {
  /** By id, in the order in which they came. */
  readonly #orders = new Map<string, ReceivedOrder>();
  readonly #max: number;

  /** @param max how many are remembered; the oldest are forgotten first. */
  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#orders.size;
  }

  /** Remembers an order. @returns false when it is known. */
  add(order: ReceivedOrder, now: number): boolean {
    if (this.#orders.has(order.id)) return false;
    this.#orders.set(order.id, order);
    for (const [id, { at }] of this.#orders) {
      if (this.#orders.size <= this.#max && now - at <= keptMs) break;
      this.#orders.delete(id);
    }
    return true;
  }

  /** Those that were given since a time. */
  since(time: number): ReceivedOrder[] {
    return [...this.#orders.values()].filter(({ at }) => at >= time);
  }
}
