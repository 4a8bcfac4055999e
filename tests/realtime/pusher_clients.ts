import type { Channel, Options } from "pusher-js";
import { signChannel, signUser } from "@/realtime/protocol/signature.ts";
import { Pusher } from "../fixtures/pusher_js.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";
import { app, until } from "./harness.ts";

/** How a client differs from one with valid signatures. */
export interface ClientOptions {
  /** False: its subscriptions are signed for another socket. */
  signs?: boolean;
  /** False: presence channels are joined as the signed-in user. */
  sendsChannelData?: boolean;
  watchlist?: string[];
}

/** The options of the pages' clients, with an auth route that signs in place. */
export function optionsFor(
  server: { port: number },
  userId: string | number,
  options: ClientOptions = {},
): Options {
  const { signs = true, sendsChannelData = true, watchlist } = options;
  return {
    cluster: "self",
    wsHost: "127.0.0.1",
    wsPort: server.port,
    forceTLS: false,
    enabledTransports: ["ws"],
    disableStats: true,
    channelAuthorization: {
      transport: "ajax",
      endpoint: "",
      customHandler: ({ socketId, channelName }, answer) => {
        const hasData = sendsChannelData && channelName.startsWith("presence-");
        const data = hasData
          ? JSON.stringify({ user_id: userId, user_info: { id: userId } })
          : undefined;
        const auth = signChannel(app, signs ? socketId : "1.2", channelName, data);
        answer(null, { auth, channel_data: data });
      },
    },
    userAuthentication: {
      transport: "ajax",
      endpoint: "",
      customHandler: ({ socketId }, answer) => {
        const data = JSON.stringify({ id: userId, user_info: { id: userId }, watchlist });
        answer(null, { auth: signUser(app, socketId, data), user_data: data });
      },
    },
  };
}

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
