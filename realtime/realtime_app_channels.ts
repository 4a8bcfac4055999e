import type { RuledApp } from "./app.ts";
import type { AppChannels, ChannelEvent, ChannelState } from "./app_channels.ts";
import { PresenceChannel } from "./channel.ts";
import type { RealtimeApp } from "./realtime_app.ts";

/** The channels of an app at work, as this node has them. */
export class RealtimeAppChannels implements AppChannels {
  readonly #app: RealtimeApp;

  constructor(app: RealtimeApp) {
    this.#app = app;
  }

  get app(): RuledApp {
    return this.#app.rules;
  }

  get maxEventBytes(): number {
    return this.#app.rules.maxEventBytes;
  }

  refusal(): string | undefined {
    return this.#app.rules.enabled ? undefined : "The app is disabled";
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
