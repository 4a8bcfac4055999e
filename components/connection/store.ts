import { text } from "@/shared/language.ts";
/** What a page shows when the code of its connection cannot be loaded. */
export function notLoadedText(): string {
  return text`Couldn't start live updates. Reload the page.`;
}

/** A state that changes with events. */
export interface Store<State> {
  current(): State;
  /**
   * Calls back after changes, at most once a frame.
   *
   * @returns unsubscribe
   */
  subscribe(listener: () => void): () => void;
}

/** The parts of a store. */
export interface StoreParts<State, Event> {
  initial: State;
  /** The state after an event; the same object when nothing changed. */
  reduce(before: State, event: Event): State;
  /** Starts the connection. Called once, at the first subscription. */
  connect(report: (event: Event) => void): void;
  /** Calls back before the next frame. */
  nextFrame(callback: () => void): void;
}

/**
 * Creates a store that connects at the first subscription and stays connected as long as the page
 * lives: closing at the last unsubscribe would count the user out while a component remounts.
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
