import type { z } from "zod";
import type { LogEntry } from "../../options.ts";
import type { Clock } from "../../timing/clock.ts";
import type { IgnoredMessages } from "../messages/ignored_messages.ts";
import type { Redis } from "../redis/redis.ts";
import type { Bus, ReceivedOrder } from "./bus.ts";
import type { Order } from "./kinds.ts";
import { maxRemembered, rememberedQuestion } from "./questions.ts";
import { RememberedOrders } from "./remembered_orders.ts";

/** Before a connection is found to be lost, messages may be missed for this long, in milliseconds. */
const unnoticedMs = 15_000;

/**
 * After a connection is back, others may come back for this long, in milliseconds. Until then they need not be
 * among the nodes with a lease, if Redis has lost its data.
 */
const returningMs = 15_000;

/** The pause after an attempt to send an order, or to learn what was missed, in milliseconds. */
const retryMs = 1_000;

/** Options of {@link Orders}. */
export interface OrdersOptions {
  bus: Bus;
  redis: Pick<Redis, "isUp" | "onChange">;
  clock: Clock;
  /** Counts the orders that this release cannot read. */
  ignored: IgnoredMessages;
  log: (entry: LogEntry) => void;
}

/**
 * Gives orders to the other servers, and carries out theirs, each once. Those that are remembered arrive
 * late rather than never: one that could not be sent is sent when Redis is back, and a server that was cut
 * off asks the others for what it missed until all have answered.
 */
export class Orders {
  readonly #options: OrdersOptions;
  readonly #handlers = new Map<
    string,
    { kind: Order<never>; handle: (order: never, at: number) => void }
  >();
  readonly #remembered = new RememberedOrders(maxRemembered);
  readonly #unsent = new Map<string, ReceivedOrder>();
  readonly #stopListening: () => void;
  /** Since when orders may have been missed; undefined when none is. */
  #missedSince: number | undefined;
  /** The date less the time when nothing was missed: a suspended machine's time stands still, the date does not. */
  #dateLessTime: number;
  #returnedAt = 0;
  #isAsking = false;
  #isStopped = false;
  #cancelAsking = () => {};
  #cancelSending = () => {};

  constructor(options: OrdersOptions) {
    const { bus, clock, redis } = this.#options = options;
    this.#dateLessTime = clock.date() - clock.now();
    bus.onOrder((order) => this.#received(order));
    bus.answer(rememberedQuestion, ({ forMs }) => this.#since(forMs));
    this.#stopListening = redis.onChange((isUp) => this.#changed(isUp));
  }

  /** Carries out a kind of order. @param handle receives the time at which it was given, by the clock */
  obey<O>(kind: Order<O>, handle: (order: O, at: number) => void): void {
    this.#handlers.set(kind.name, { kind: kind as Order<never>, handle });
  }

  /** Gives an order to the other servers; see {@link Order} for what happens when it cannot be sent. */
  give<O>({ name, isRemembered, isResent }: Order<O>, data: O): void {
    const { bus, clock } = this.#options;
    const order = { id: bus.newId(), name, data, at: clock.now() };
    if (isRemembered) this.#remembered.add(order, order.at);
    if (isResent) {
      this.#unsent.set(order.id, order);

      const [oldest] = this.#unsent.keys();
      if (this.#unsent.size > maxRemembered) this.#unsent.delete(oldest);
    }
    this.#send(order);
  }

  /** Sends and receives nothing more. */
  stop(): void {
    this.#stopListening();
    this.#isStopped = true;
    this.#cancelAsking();
    this.#cancelSending();
  }

  /** The number of entries in memory, by what they are. */
  stats() {
    return { rememberedOrders: this.#remembered.size, unsentOrders: this.#unsent.size };
  }

  #send(order: ReceivedOrder): void {
    this.#options.bus.order(order)
      .then(() => this.#unsent.delete(order.id), () => this.#sendLater());
  }

  #sendUnsent(): void {
    for (const order of this.#unsent.values()) this.#send(order);
  }

  #sendLater(): void {
    const { clock, redis } = this.#options;
    this.#cancelSending();
    if (this.#isStopped || !redis.isUp || this.#unsent.size === 0) return;
    this.#cancelSending = clock.after(retryMs, () => this.#sendUnsent());
  }

  #received(order: ReceivedOrder): void {
    const { clock, ignored } = this.#options;
    const { kind, handle } = this.#handlers.get(order.name) ?? {};
    if (!kind || !handle) return ignored.add("unknown", `order ${order.name}`);
    if (kind.isRemembered && !this.#remembered.add(order, clock.now())) return;
    const data = (kind.order as z.ZodType<never>).safeParse(order.data);
    if (!data.success) return ignored.add("malformed", `order ${order.name}`);
    handle(data.data, order.at);
  }

  #since(forMs: number) {
    const now = this.#options.clock.now();
    return this.#remembered.since(now - forMs)
      .map(({ id, name, data, at }) => ({ id, name, data, age: now - at }));
  }

  #changed(isUp: boolean): void {
    const { clock } = this.#options;
    this.#cancelAsking();
    this.#cancelSending();
    if (!isUp) {
      this.#missedSince ??= clock.now() - unnoticedMs;
      return;
    }
    this.#returnedAt = clock.now();
    if (this.#missedSince === undefined) this.#missedNothing();
    this.#sendUnsent();
    void this.#learn();
  }

  /** Asks the others until all have answered. */
  async #learn(): Promise<void> {
    const since = this.#missedSince;
    if (since === undefined || this.#isAsking) return;
    const { bus, clock, log, redis } = this.#options;
    this.#isAsking = true;
    const { answers, isComplete } = await bus.ask(rememberedQuestion, {
      forMs: clock.now() - since + this.#suspendedMs,
    });
    this.#isAsking = false;
    for (const { answer } of answers) {
      for (const { id, name, data, age } of answer) {
        try {
          this.#received({ id, name, data, at: this.#timeOf(age) });
        } catch (error) {
          log({ level: "error", message: "An order of another server failed", name, error });
        }
      }
    }
    if (this.#isStopped || !redis.isUp) return;
    const returningForMs = this.#returnedAt + returningMs - clock.now();
    if (isComplete && returningForMs <= 0) this.#missedNothing();
    else {
      const pauseMs = isComplete ? returningForMs : retryMs;
      this.#cancelAsking();
      this.#cancelAsking = clock.after(pauseMs, () => void this.#learn());
    }
  }
  #missedNothing(): void {
    const { clock } = this.#options;
    this.#missedSince = undefined;
    this.#dateLessTime = clock.date() - clock.now();
  }

  /** For how long the machine may have been suspended since nothing was missed, in milliseconds. */
  get #suspendedMs(): number {
    const { clock } = this.#options;
    return Math.max(0, clock.date() - clock.now() - this.#dateLessTime);
  }

  /**
   * The latest time at which an order of an age can have been given: a connection from before the order is
   * closed in any case; at worst, one from shortly after it is closed too, and reconnects.
   */
  #timeOf(age: number): number {
    return this.#options.clock.now() - Math.max(0, age - this.#suspendedMs);
  }
}
