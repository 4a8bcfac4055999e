import pusherModule, {
  type Channel,
  type Options,
  type PresenceChannel,
} from "pusher-js/worker/with-encryption/index.js";
import type { Received } from "../realtime/rig.ts";
import { ObservedSocket, type WireFrame } from "./observed_socket.ts";

/** pusher-js as it runs in web workers: it uses the WebSocket that is there, and it decrypts. */
const Pusher = pusherModule as unknown as typeof pusherModule.default;
type Runtime = typeof Pusher.Runtime;
Pusher.Runtime.getWebSocketAPI = () =>
  ObservedSocket as unknown as ReturnType<Runtime["getWebSocketAPI"]>;

/** How long something that is to come may take before a rule fails, in milliseconds. */
const patienceMs = 10_000;

/** What a page hears on a channel. */
type Heard = Pick<Received, "event" | "data">;

/** The official client of browsers, with what goes over its wire. */
export class PusherClient extends Pusher {
  readonly #options: Options;

  constructor(key: string, options: Options) {
    super(key, options);
    this.#options = options;
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

  /** The frames of an event that came, as they were on the wire. */
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

  /** Waits until it is signed in and hears the events for its user. */
  async subscribedAsUser(): Promise<void> {
    const isSubscribed = ({ event, channel }: WireFrame) =>
      event === "pusher_internal:subscription_succeeded" && !!channel?.startsWith("#");
    await next(this.connection, "message", isSubscribed);
  }

  /** Everything that was on its way to this client has come. */
  async settled(): Promise<void> {
    const isPong = ({ event }: WireFrame) => event === "pusher:pong";
    const pong = next(this.connection, "message", isPong);
    this.send_event("pusher:ping", {});
    await pong;
  }
}

/** Collects what a page hears on a channel from now on, but for the protocol's own events. */
export function heardOn(channel: Channel): Heard[] {
  const events: Heard[] = [];
  channel.bind_global((event: string, data: unknown) => {
    if (!event.startsWith("pusher:")) events.push({ event, data });
  });
  return events;
}

/** What pusher-js binds callbacks to. */
interface Emitter {
  bind(event: string, callback: (data: unknown) => void): unknown;
  unbind(event: string, callback: (data: unknown) => void): unknown;
}

/** The data of the next event of this name, or of the next that is meant; fails when none comes. */
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
    const timer = setTimeout(() => end(() => reject(new Error(`no ${events} came`))), patienceMs);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      events.forEach((event, index) => emitter.unbind(event, takers[index]));
      settle();
    };
    events.forEach((event, index) => emitter.bind(event, takers[index]));
  });
}
