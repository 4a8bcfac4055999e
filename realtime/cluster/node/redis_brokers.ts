import type { Broker, BrokerOptions } from "../../brokers/broker.ts";
import { AppOnNode, type AppOnNodeOptions } from "./app_on_node.ts";
import { type BrokerState, RedisBroker } from "./redis_broker.ts";

/** What {@link RedisBrokers} are made with. */
export interface RedisBrokersOptions
  extends Pick<AppOnNodeOptions, "ignored" | "node" | "redis" | "topicOf"> {
  state: AppOnNodeOptions["state"] & BrokerState;
}

/** Makes the brokers of a server's apps. The next one of an app continues with what the one before stated. */
export class RedisBrokers {
  readonly #options: RedisBrokersOptions;
  readonly #apps = new Map<string, AppOnNode>();

  constructor(options: RedisBrokersOptions) {
    this.#options = options;
  }

  /** Makes the broker of an app. */
  readonly make = (options: BrokerOptions): Broker => {
    const { appId, clock } = options;
    const app = this.#apps.get(appId) ?? this.#add(appId, clock);
    return new RedisBroker(options, app, this.#options.state);
  };

  #add(appId: string, clock: AppOnNodeOptions["clock"]): AppOnNode {
    const ended = () => {
      if (this.#apps.get(appId) === app) this.#apps.delete(appId);
    };
    const app = new AppOnNode({ ...this.#options, appId, clock, ended });
    this.#apps.set(appId, app);
    return app;
  }
}
