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
