import type { PresenceChannel, PusherLike } from "@/packages/client/types/index.d.ts";

// deno-lint-ignore no-explicit-any -- each event has other data
type Callback = (data?: any) => void;

/** Events with what is called at them. */
class Bindings {
  readonly #bound: [event: string, callback: Callback][] = [];

  bind(event: string, callback: Callback): void {
    this.#bound.push([event, callback]);
  }

  unbind(event: string, callback: Callback): void {
    const at = this.#bound.findIndex((each) => each[0] === event && each[1] === callback);
    if (at >= 0) this.#bound.splice(at, 1);
  }

  emit(event: string, data?: unknown): void {
    for (const [name, callback] of [...this.#bound]) if (name === event) callback(data);
  }

  get size(): number {
    return this.#bound.length;
  }
}

/** Stands in for a client of pusher-js; the test says what happens to its connection. */
export class FakeClient implements PusherLike {
  readonly connection = Object.assign(new Bindings(), { state: "connecting" });
  readonly channels = new Map<string, FakePresence>();
  /** When it began to connect, by the clock. */
  readonly attempts: number[] = [];
  readonly sent: string[] = [];
  /** What was subscribed to, each time. */
  readonly subscribed: string[] = [];

  enter(state: string): void {
    this.connection.state = state;
    this.connection.emit(state);
  }

  connect(): void {
    this.attempts.push(Date.now());
    this.enter("connecting");
  }

  disconnect(): void {
    this.enter("disconnected");
  }

  channel(name: string): FakePresence | undefined {
    return this.channels.get(name);
  }

  subscribe(name: string): FakePresence {
    this.subscribed.push(name);
    const channel = this.channels.get(name) ?? new FakePresence();
    this.channels.set(name, channel);
    return channel;
  }

  unsubscribe(name: string): void {
    this.channels.delete(name);
  }

  send_event(event: string): void {
    this.sent.push(event);
  }
}

/** Stands in for a presence channel of pusher-js. */
export class FakePresence extends Bindings implements PresenceChannel {
  subscribed = false;
  members: PresenceChannel["members"] = { count: 0, members: {} };

  trigger(): void {}

  /** The subscription succeeds; or members come and go, which `event` says. */
  has(ids: string[], event = "pusher:subscription_succeeded"): void {
    this.subscribed = true;
    const members = Object.fromEntries(ids.map((id) => [id, { id }]));
    this.members = { count: ids.length, members };
    this.emit(event);
  }
}
