import { Pusher } from "../../fixtures/pusher_js.ts";
import { optionsFor } from "../pusher_options.ts";
import { app, until } from "../rig.ts";

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

/** An event as a page receives it. */
export interface Heard {
  channel: string;
  event: string;
  data: unknown;
}

/** Subscribes to channels and collects their events, without the protocol's own. */
export async function heard(client: Pusher, channels: string[]): Promise<Heard[]> {
  const events: Heard[] = [];
  const joined = channels.map((name) => {
    const channel = client.subscribe(name);
    channel.bind_global((event: string, data: unknown) => {
      if (!event.startsWith("pusher:")) events.push({ channel: name, event, data });
    });
    return new Promise((resolve) => channel.bind("pusher:subscription_succeeded", resolve));
  });
  await Promise.all(joined);
  return events;
}
