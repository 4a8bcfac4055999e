/** What is known now, and word of every change. */
export interface Store<State> {
  /** What is known now. */
  current(): State;
  /** Calls back after changes, at most once a frame; returns the way to stop. */
  subscribe(listener: () => void): () => void;
}

/** What a store is made from. */
export interface StoreParts<State, Event> {
  initial: State;
  /** What is known after an event; the same object when nothing changed. */
  reduce(before: State, event: Event): State;
  /** Starts the connection; called once, when the first listener comes. */
  connect(report: (event: Event) => void): void;
  /** Calls back before the next picture is drawn. */
  nextFrame(callback: () => void): void;
}

/**
 * Makes a store that connects when somebody first listens, and then stays connected as long as the
 * page lives: leaving on the last unsubscribe would count the user out while a part of the page is
 * merely drawn anew.
 */
export function createStore<State, Event>(parts: StoreParts<State, Event>): Store<State> {
  let state = parts.initial;
  let connected = false;
  let framePending = false;
  const listeners = new Set<() => void>();

  const notify = () => {
    framePending = false;
    for (const listener of [...listeners]) listener();
  };
  const report = (event: Event) => {
    const after = parts.reduce(state, event);
    if (after === state) return;
    state = after;
    if (framePending) return;
    framePending = true;
    parts.nextFrame(notify);
  };

  return {
    current: () => state,
    subscribe(listener) {
      listeners.add(listener);
      if (!connected) {
        connected = true;
        parts.connect(report);
      }
      return () => listeners.delete(listener);
    },
  };
}
