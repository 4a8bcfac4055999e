import { changedOrder } from "./app_orders.ts";
import type { Redis } from "../redis/redis.ts";
import type { Orders } from "./orders.ts";

/** What servers keep in memory and read again when another server has changed it. */
export const sharedThings = [
  /** The apps of the settings: a server was asked to read them again. */
  "settings",
  /** The apps that admins added, changed or removed. */
  "apps",
  "alerts",
  "wallboards",
  "embeds",
  "blockedGuests",
  /** Names and roles of accounts. */
  "accounts",
] as const;

/** See {@link sharedThings}. */
export type SharedThing = typeof sharedThings[number];

/** Has other servers read again what this one has changed. A change must be stored before. */
export class Changes {
  readonly #orders: Orders;
  readonly #readers = new Map<SharedThing, () => void>();
  readonly #stopListening: () => void;

  constructor(orders: Orders, redis: Pick<Redis, "onChange">) {
    this.#orders = orders;
    orders.obey(changedOrder, ({ what }) => this.#readers.get(what as SharedThing)?.());
    // What was changed meanwhile is not known.
    this.#stopListening = redis.onChange((isUp) => isUp && this.#readAll());
  }

  /** This server has changed something. */
  changed(what: SharedThing): void {
    this.#orders.give(changedOrder, { what });
  }

  /**
   * Reads something again when another server has changed it, and whenever the connection to Redis is back.
   * The function must not throw; what it starts must not be rejected.
   */
  onChanged(what: SharedThing, read: () => void): void {
    this.#readers.set(what, read);
  }

  /** Reads nothing more. */
  stop(): void {
    this.#stopListening();
    this.#readers.clear();
  }

  /** The settings of a running server are read by request only. */
  #readAll(): void {
    for (const [what, read] of this.#readers) if (what !== "settings") read();
  }
}
