/** Stands in for pusher-js: reports states and other events, and counts the attempts to connect. */
export class FakePusher {
  attempts = 1;
  /** The events that the page sent. */
  readonly sent: string[] = [];
  #listeners: { event: string; callback: (data?: unknown) => void }[] = [];
  connection = {
    state: "connecting",
    bind: (event: string, callback: (data?: unknown) => void) =>
      this.#listeners.push({ event, callback }),
  };

  /** Reports an event of the connection that is not a state. */
  emit(event: string, data?: unknown) {
    for (const listener of this.#listeners) if (listener.event === event) listener.callback(data);
  }

  enter(state: string) {
    this.connection.state = state;
    this.emit(state);
  }

  send_event(name: string) {
    this.sent.push(name);
  }

  connect() {
    this.attempts++;
    this.enter("connecting");
  }

  disconnect() {
    this.enter("disconnected");
  }
}

/** Stands in for a presence channel of Echo, which pusher-js has not subscribed to yet. */
export class FakeChannel {
  /** How often it was subscribed to. */
  subscriptions = 0;
  subscription = {
    subscribed: false,
    subscriptionPending: false,
    members: { members: {} as Record<string, unknown> },
    subscribe: () => {
      this.subscriptions++;
      this.subscription.subscriptionPending = true;
    },
  };
  #here: (() => void)[] = [];
  #joining: (() => void)[] = [];
  #leaving: (() => void)[] = [];
  #listening: { event: string; callback: (payload: never) => void }[] = [];
  #error: ((error: unknown) => void)[] = [];

  readonly here = (callback: () => void) => this.#here.push(callback);
  readonly subscribed = this.here;
  readonly joining = (callback: () => void) => this.#joining.push(callback);
  readonly leaving = (callback: () => void) => this.#leaving.push(callback);
  readonly listen = <Payload>(event: string, callback: (payload: Payload) => void) =>
    this.#listening.push({ event, callback });
  readonly error = (callback: (error: unknown) => void) => this.#error.push(callback);

  /** The subscription succeeds with these members. */
  succeed(...ids: string[]) {
    this.#set(true, ids);
    for (const callback of this.#here) callback();
  }

  join(id: string) {
    this.subscription.members.members[id] = null;
    for (const callback of this.#joining) callback();
  }

  leave(id: string) {
    delete this.subscription.members.members[id];
    for (const callback of this.#leaving) callback();
  }

  /** The server tells the number of members. */
  count(users: number) {
    this.send(".rollcall:count", { users });
  }

  /** The server sends an event. */
  send(name: string, payload: unknown) {
    for (const { event, callback } of this.#listening) {
      // The listener names the payload's type, as with Echo.
      if (event === name) callback(payload as never);
    }
  }

  /** The connection is lost. */
  lose() {
    this.#set(false, []);
  }

  fail(error: unknown) {
    this.#set(false, []);
    for (const callback of this.#error) callback(error);
  }

  #set(subscribed: boolean, ids: string[]) {
    const members = Object.fromEntries(ids.map((id) => [id, null]));
    Object.assign(this.subscription, { subscribed, subscriptionPending: false });
    this.subscription.members.members = members;
  }
}
