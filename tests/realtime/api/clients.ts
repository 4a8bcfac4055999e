import type { Channel } from "pusher-js";
import { Pusher } from "../../fixtures/pusher_js.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { optionsFor } from "../pusher_options.ts";
import { app, until } from "../harness.ts";

/** A pusher-js client that signs in place as a user; disposing disconnects it. */
export function clientOf(server: { port: number }, userId: string): Pusher & AsyncDisposable {
  const client = new Pusher(app.key, optionsFor(server, userId));
  return Object.assign(client, {
    async [Symbol.asyncDispose]() {
      client.disconnect();
      await until(() => client.connection.state === "disconnected");
    },
  });
}

/** Waits until a client has joined a channel. */
export function joined(channel: Channel): Promise<void> {
  return next(channel, "pusher:subscription_succeeded");
}

/** The data of the next event of this name on a channel. */
export function next<Data>(channel: Channel, event: string): Promise<Data> {
  const data = new Promise<Data>((resolve) => {
    channel.bind(event, function take(data: Data) {
      channel.unbind(event, take);
      resolve(data);
    });
  });
  return withTimeout(data, `${event} had come on ${channel.name}`);
}

/** An event as a page receives it. */
export interface Heard {
  channel: string;
  event: string;
  data: unknown;
}

/** Subscribes to channels and collects their events, without the protocol's own. */
export async function heard(client: Pusher, channels: string[]): Promise<Heard[]> {
  const events: Heard[] = [];
  await Promise.all(channels.map((name) => {
    const channel = client.subscribe(name);
    channel.bind_global((event: string, data: unknown) => {
      if (!event.startsWith("pusher:")) events.push({ channel: name, event, data });
    });
    return joined(channel);
  }));
  return events;
}
