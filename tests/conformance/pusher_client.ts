import pusherModule, {
  type Channel,
  type Options,
  type PresenceChannel,
} from "pusher-js/worker/with-encryption/index.js";
import type PusherServer from "pusher";
import type { Received } from "../realtime/harness.ts";
import { ObservedSocket, type Settle, type WireFrame } from "./bare_client.ts";

/** pusher-js for web workers: it uses the global WebSocket, and it decrypts. */
const Pusher = pusherModule as unknown as typeof pusherModule.default;
type Runtime = typeof Pusher.Runtime;
// It has what pusher-js uses of a WebSocket; its types ask for all of one.
Pusher.Runtime.getWebSocketAPI = () =>
  ObservedSocket as unknown as ReturnType<Runtime["getWebSocketAPI"]>;

/** How long a rule waits for a frame or a state, in milliseconds. */
const timeoutMs = 60_000;

/** An event that a page receives on a channel. */
type Heard = Pick<Received, "event" | "data">;

/** The official client for browsers, and its frames as they are on the wire. */
export class PusherClient extends Pusher {
  readonly #options: Options;
  readonly #settle: Settle | undefined;

  constructor(key: string, options: Options, settle?: Settle) {
    super(key, options);
    this.#options = options;
    this.#settle = settle;
  }

  /** Every socket that pusher-js opened with this client's key to its port, so far. */
  get attempts(): ObservedSocket[] {
    const { forceTLS, wsPort, wssPort } = this.#options;
    const port = String(forceTLS ? wssPort : wsPort);
    return ObservedSocket.all.filter(({ url }) =>
      new URL(url).port === port && url.includes(`/app/${this.key}?`) && url.includes("client=js")
    );
  }

  /** The socket of the connection that is open. */
  get socket(): ObservedSocket {
    const { socket_id: id } = this.connection;
    const socket = ObservedSocket.all.find(({ received: [first] }) =>
      typeof first?.data === "string" && JSON.parse(first.data).socket_id === id
    );
    if (!socket) throw new Error(`pusher-js is ${this.connection.state}`);
    return socket;
  }

  /** The frames of an event that it received, as they were on the wire. */
  received(event: string): WireFrame[] {
    return this.socket.received.filter((frame) => frame.event === event);
  }

  /** Waits until the connection has a state. */
  async became(state: "connected" | "disconnected"): Promise<void> {
    if (this.connection.state !== state) await next(this.connection, state);
  }

  /** Subscribes and waits for the success; fails when the subscription is refused. */
  async joined(name: string): Promise<PresenceChannel> {
    const channel = this.subscribe(name) as PresenceChannel;
    const [event, data] = await firstOf(channel, [
      "pusher:subscription_succeeded",
      "pusher:subscription_error",
    ]);
    if (event === "pusher:subscription_succeeded") return channel;
    throw new Error(`The subscription to ${name} was refused: ${JSON.stringify(data)}`);
  }

  /** Waits until it is signed in and subscribed to the channel of its user. */
  async subscribedAsUser(): Promise<void> {
    const isSubscribed = ({ event, channel }: WireFrame) =>
      event === "pusher_internal:subscription_succeeded" && !!channel?.startsWith("#");
    await next(this.connection, "message", isSubscribed);
  }

  /** Waits until every frame that was sent to this client has come. */
  async settled(): Promise<void> {
    if (this.#settle) {
      await this.#answered();
      // Its page has not asked for this.
      this.socket.forgetPing();
      await this.#settle();
    }
    await this.#answered();
  }

  async #answered(): Promise<void> {
    const isPong = ({ event }: WireFrame) => event === "pusher:pong";
    const pong = next(this.connection, "message", isPong);
    this.send_event("pusher:ping", {});
    await pong;
  }
}

/** Collects the events that a page receives on a channel from now on, without the protocol's own. */
export function heardOn(channel: Channel): Heard[] {
  const events: Heard[] = [];
  channel.bind_global((event: string, data: unknown) => {
    if (!event.startsWith("pusher:")) events.push({ event, data });
  });
  return events;
}

/** A source of events of pusher-js. */
interface Emitter {
  bind(event: string, callback: (data: unknown) => void): unknown;
  unbind(event: string, callback: (data: unknown) => void): unknown;
}

/** The data of the next event of this name that satisfies a condition; rejects when none comes. */
export async function next<T>(
  emitter: Emitter,
  event: string,
  isMeant: (data: T) => boolean = () => true,
): Promise<T> {
  const [, data] = await firstOf<T>(emitter, [event], isMeant);
  return data;
}

/** The next event of these names, with its data. */
function firstOf<T>(
  emitter: Emitter,
  events: string[],
  isMeant: (data: T) => boolean = () => true,
): Promise<[event: string, data: T]> {
  return new Promise((resolve, reject) => {
    const takers = events.map((event) => (data: unknown) => {
      if (isMeant(data as T)) end(() => resolve([event, data as T]));
    });
    const timer = setTimeout(() => end(() => reject(new Error(`no ${events} came`))), timeoutMs);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      events.forEach((event, index) => emitter.unbind(event, takers[index]));
      settle();
    };
    events.forEach((event, index) => emitter.bind(event, takers[index]));
  });
}

/** How a client differs from a usual page's. */
export interface ClientOptions {
  /** Another key than the app's. */
  key?: string;
  /** The library that authorizes. Default: one with the app's secret. */
  library?: PusherServer;
  /** The user that joins presence channels and signs in. Default `ann`. */
  userId?: string;
  /** Its `user_info` in presence channels. */
  userInfo?: Record<string, unknown>;
  /** What is signed under the reserved key, in presence channels. */
  rollcall?: Record<string, unknown>;
  watchlist?: string[];
  /** False: presence channels are joined as the signed-in user. */
  sendsChannelData?: boolean;
  /** False: requests are signed for another socket. */
  signs?: boolean;
  /** Options of pusher-js itself. */
  options?: Partial<Options>;
}

/** Options of pusher-js as pages have them, authorized in place by the official server library. */
export function optionsOf(
  port: number,
  library: PusherServer,
  client: ClientOptions,
  authorizing: (channel: string) => void,
): Options {
  const { userId = "ann", watchlist, signs = true, sendsChannelData = true, rollcall } = client;
  const user_info = client.userInfo ?? { id: userId };
  return {
    cluster: "self",
    wsHost: "127.0.0.1",
    wsPort: port,
    forceTLS: false,
    enabledTransports: ["ws", "wss"],
    channelAuthorization: {
      customHandler: ({ socketId, channelName }, answer) => {
        authorizing(channelName);
        const hasData = sendsChannelData && channelName.startsWith("presence-");
        const data = hasData ? { user_id: userId, user_info, rollcall } : undefined;
        answer(null, library.authorizeChannel(signs ? socketId : "1.2", channelName, data));
      },
    },
    userAuthentication: {
      customHandler: ({ socketId }, answer) => {
        const user = { id: userId, user_info, watchlist };
        answer(null, library.authenticateUser(signs ? socketId : "1.2", user));
      },
    },
    ...client.options,
  };
}
