import { initialPresence, type Presence, type PresenceEvent, reducePresence } from "./presence.ts";

/** What is known of who is online, and word of every change. */
export interface PresenceStore {
  /** What is known now. */
  current(): Presence;
  /** Calls back after changes, at most once a frame; returns the way to stop. */
  subscribe(listener: () => void): () => void;
}

/** What the store needs of its surroundings. */
export interface PresenceSurroundings {
  /** Starts the connection; called once, when the first listener comes. */
  connect(report: (event: PresenceEvent) => void): void;
  /** Calls back before the next picture is drawn. */
  nextFrame(callback: () => void): void;
  now(): number;
}

/**
 * Makes a store that connects when somebody first listens, and then stays connected as long as the
 * page lives: leaving on the last unsubscribe would count the user out while a part of the page is
 * merely drawn anew.
 */
export function createPresenceStore(surroundings: PresenceSurroundings): PresenceStore {
  let presence = initialPresence(surroundings.now());
  let connected = false;
  let framePending = false;
  const listeners = new Set<() => void>();

  const notify = () => {
    framePending = false;
    for (const listener of [...listeners]) listener();
  };
  const report = (event: PresenceEvent) => {
    const after = reducePresence(presence, event);
    if (after === presence) return;
    presence = after;
    if (framePending) return;
    framePending = true;
    surroundings.nextFrame(notify);
  };

  return {
    current: () => presence,
    subscribe(listener) {
      listeners.add(listener);
      if (!connected) {
        connected = true;
        surroundings.connect(report);
      }
      return () => listeners.delete(listener);
    },
  };
}
