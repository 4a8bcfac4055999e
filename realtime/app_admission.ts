import type { AppSettings } from "./app_config.ts";
import type { Broker } from "./brokers/broker.ts";
import type { Connection } from "./connections/connection.ts";
import { ConnectionLimit } from "./connections/connection_limit.ts";
import type { LimitName } from "./connections/refusals.ts";
import { type Close, closes } from "./protocol/close_codes.ts";
import type { Clock } from "./timing/clock.ts";
import { Deadlines } from "./timing/deadlines.ts";

/** What an {@link AppAdmission} is made with. */
export interface AppAdmissionOptions {
  /** The app's rules as they are now. */
  settings: () => Pick<AppSettings, "enabled" | "joinTimeoutMs" | "maxConnections">;
  /** How many connections are open here. */
  count: () => number;
  broker: Pick<Broker, "connections" | "isShared">;
  /** How many are open at the other servers that answer. Must not reject. */
  elsewhere: () => Promise<number>;
  clock: Clock;
}

/** Which connections an app admits, and which of them may stay: not too many, and those that authorize in time. */
export class AppAdmission {
  readonly #options: AppAdmissionOptions;
  /** Connections that have to authorize in time. */
  readonly #unauthorized: Deadlines<Connection>;
  /** Over all servers, if there are others. */
  readonly #limit: ConnectionLimit | undefined;

  constructor(options: AppAdmissionOptions) {
    this.#options = options;
    const { broker, clock, count, elsewhere, settings } = options;
    this.#unauthorized = new Deadlines(
      settings().joinTimeoutMs,
      (connection) => connection.fail(closes.joinTimeout),
      clock,
    );
    if (!broker.isShared) return;
    const max = () => settings().maxConnections;
    this.#limit = new ConnectionLimit({
      ...{ max, count, elsewhere, state: (count) => broker.connections(count) },
      refuse: (connection) => connection.failOver("connectionsOfApp", closes.appFull(max())),
    });
  }

  /** Why no connection may open now, if so. */
  refusal(): { close: Close; limit?: LimitName } | undefined {
    const { enabled, maxConnections } = this.#options.settings();
    if (!enabled) return { close: closes.appDisabled };
    if (maxConnections === 0 || this.#options.count() < maxConnections) return undefined;
    return { close: closes.appFull(maxConnections), limit: "connectionsOfApp" };
  }

  /** The settings are other ones. */
  configured(): void {
    this.#unauthorized.afterMs = this.#options.settings().joinTimeoutMs;
    this.#limit?.changed();
  }

  /** A connection opened. */
  opened(connection: Connection): void {
    this.#limit?.opened(connection);
    if (this.#options.settings().joinTimeoutMs > 0) this.#unauthorized.add(connection);
  }

  /** A connection joined a private or presence channel, or signed in: its join timeout ends. */
  authorized(connection: Connection): void {
    this.#unauthorized.delete(connection);
  }

  /** A connection was released. */
  released(connection: Connection): void {
    this.#limit?.released(connection);
    this.#unauthorized.delete(connection);
  }

  /** The number of connections that have to authorize. */
  get unauthorized(): number {
    return this.#unauthorized.size;
  }

  /** Ends every join timeout. */
  stop(): void {
    this.#unauthorized.stop();
  }
}
