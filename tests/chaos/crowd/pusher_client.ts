import type { PresenceChannel } from "pusher-js";
import { Pusher } from "../../fixtures/pusher_js.ts";
import { app } from "../installation/installation.ts";
import { z } from "zod";
import type { Client, ClientOptions } from "./client.ts";

/** What pusher-js says of a close code from 4000 on, before it reconnects. */
const closeError = z.object({
  error: z.object({ data: z.object({ code: z.number(), message: z.string() }) }),
});

/** pusher-js, as pages have it: it connects again by itself. */
export class PusherClient implements Client {
  readonly reconnects = true;
  readonly isRunning = true;
  readonly #options: ClientOptions;
  #pusher: Pusher | undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  open(port: number): void {
    const { channels, listener } = this.#options;
    const isCurrent = () => this.#pusher === pusher;
    const pusher: Pusher = new Pusher(app.key, {
      cluster: "self",
      wsHost: "127.0.0.1",
      wsPort: port,
      forceTLS: false,
      enabledTransports: ["ws"],
      disableStats: true,
      channelAuthorization: {
        transport: "ajax",
        endpoint: "",
        customHandler: ({ socketId, channelName }, answer) => {
          if (!isCurrent()) return;
          listener.authorize(channelName, socketId, ({ auth = "", channel_data }) => {
            // It has connected again, and asks again.
            if (!isCurrent() || pusher.connection.socket_id !== socketId) return;
            answer(null, { auth, channel_data });
          });
        },
      },
    });
    this.#pusher = pusher;
    const { connection } = pusher;
    let isConnected = false;
    let reason = "a code below 4000";
    const disconnected = () => {
      if (isCurrent() && isConnected) listener.disconnected(reason);
      isConnected = false;
    };
    connection.bind("connected", () => {
      isConnected = true;
      reason = "a code below 4000";
      if (isCurrent()) listener.connected(connection.socket_id);
    });
    connection.bind("message", (frame: { event: string; channel?: string; data: unknown }) => {
      if (isCurrent()) listener.received(frame);
    });
    // After most codes its state stays "connected" until it tries again, a second later.
    connection.bind("connecting_in", disconnected);
    connection.bind("state_change", ({ previous }: { previous: string }) => {
      if (previous === "connected") disconnected();
    });
    // Without a listener, pusher-js throws it.
    connection.bind("error", (error: unknown) => {
      const { data } = closeError.safeParse(error);
      if (data) reason = `${data.error.data.code} ${data.error.data.message}`;
    });
    for (const channel of channels) pusher.subscribe(channel);
  }

  close(): void {
    const pusher = this.#pusher;
    this.#pusher = undefined;
    if (!pusher) return;
    pusher.disconnect();
    // Pusher's library keeps all that were ever made.
    Pusher.instances.splice(Pusher.instances.indexOf(pusher), 1);
  }

  unsubscribe(channel: string): void {
    this.#pusher?.unsubscribe(channel);
  }

  trigger(channel: string, event: string, data: unknown): void {
    this.#pusher?.channel(channel)?.trigger(event, data);
  }

  members(channel: string): ReadonlySet<string> | undefined {
    const joined = this.#pusher?.channel(channel) as PresenceChannel | undefined;
    return joined && new Set(Object.keys(joined.members.members));
  }
}
