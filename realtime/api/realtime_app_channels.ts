import type { AppSettings } from "../app_config.ts";
import type { AppApi, CachedEvent, CallRefusal, ChannelEvent, ChannelState } from "./app_api.ts";
import { PresenceChannel } from "../channels/channel.ts";
import type { App } from "../app.ts";
import type { LimitName } from "../connections/refusals.ts";

/** What the server gives to the channels of its apps. */
export interface AppApiOptions {
  /** Milliseconds; only differences count. */
  now: () => number;
  /** A limit was passed. */
  passed: (limit: LimitName) => void;
}

/** The channels of an app at work, as this node has them. */
export class RealtimeAppApi implements AppApi {
  readonly #app: App;
  readonly #options: AppApiOptions;

  constructor(app: App, options: AppApiOptions) {
    this.#app = app;
    this.#options = options;
  }

  get app(): AppSettings {
    return this.#app.rules;
  }

  get maxEventBytes(): number {
    return this.#app.rules.maxEventBytes;
  }

  refusal(): CallRefusal | undefined {
    const { enabled, maxApiRequestsPerSecond: most } = this.#app.rules;
    if (!enabled) return { reason: "app_refused", message: "The app is disabled" };
    if (this.#app.calls.allows(this.#options.now(), most)) return undefined;
    this.#options.passed("apiRequestsPerSecond");
    const message = `The app may make ${most} calls a second`;
    return { reason: "over_quota", message, retryAfterSeconds: 1 };
  }

  channels(): Iterable<string> {
    return this.#app.hub.channels.keys();
  }

  channel(name: string): ChannelState | undefined {
    const channel = this.#app.hub.channels.get(name);
    if (!channel) return undefined;
    return channel instanceof PresenceChannel
      ? { userCount: channel.members.size, subscriptionCount: channel.connections }
      : { subscriptionCount: channel.subscribers.size };
  }

  cached(name: string): CachedEvent | undefined {
    return this.#app.cached(name);
  }

  users(name: string): string[] {
    return this.#app.presence(name).userIds;
  }

  publish({ channel, name, data, except }: ChannelEvent): void {
    this.#app.publish(channel, name, data, except);
  }

  terminateUser(userId: string): number {
    return this.#app.terminateUser(userId);
  }
}
