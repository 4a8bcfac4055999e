import { useEffect, useState } from "react";
import { nextFrame } from "../page/next_frame.ts";
import { fetchList } from "./online_list.ts";
import { initialOnline, type Online, type OnlineEvent, reduceOnline } from "./online.ts";
import { retryDelayMs } from "../presence/presence_signals.ts";
import type { ClientSettings } from "../../shared/client_settings.ts";
import { createStore, type Store } from "../page/store.ts";

type Listener = (payload: never) => void;

/** All that an admin's page hears, over one subscription, whatever the number of islands. */
export interface OnlineFeed extends Store<Online> {
  /**
   * Calls back with the payload of every event of this name, such as `HealthMeasured`; returns the way
   * to stop. Events come while somebody subscribes; those during a broken connection never do.
   */
  listen<Payload>(name: string, listener: (payload: Payload) => void): () => void;
  /** Asks for the list now, if it is being waited for. */
  hurry(): void;
}

let shared: OnlineFeed | undefined;

/** The feed of this page. The settings of the first call count. */
export function onlineFeed(settings: ClientSettings): OnlineFeed {
  return shared ??= createFeed(settings);
}

function createFeed(settings: ClientSettings): OnlineFeed {
  const listeners = new Map<string, Set<Listener>>();
  const heard = (name: string, payload: unknown) => {
    for (const listener of [...listeners.get(name) ?? []]) listener(payload as never);
  };
  let report: (event: OnlineEvent) => void = () => {};
  const store = createStore<Online, OnlineEvent>({
    initial: initialOnline,
    reduce: reduceOnline,
    nextFrame,
    connect(tell) {
      report = (event) => {
        const { number } = store.current().request;
        tell(event);
        const { request } = store.current();
        if (request.number > number) fetchLater(store, report);
      };
      void connect(settings, report, heard);
    },
  });
  return {
    ...store,
    listen(name, listener) {
      const known = listeners.get(name) ?? new Set();
      listeners.set(name, known.add(listener));
      return () => known.delete(listener);
    },
    hurry: () => report({ type: "hurried", at: Date.now() }),
  };
}

async function connect(
  settings: ClientSettings,
  report: (event: OnlineEvent) => void,
  heard: (name: string, payload: unknown) => void,
): Promise<void> {
  try {
    // Loaded here so that the server, which draws islands too, never loads a socket client.
    const { connectOnline } = await import("./online_connection.ts");
    connectOnline(settings, { report, heard });
  } catch (error) {
    console.error(error);
    const problem = "The live connection could not be loaded. Reload the page.";
    report({ type: "refused", problem, trueAt: Date.now() });
  }
}

/** Fetches the list that was asked for last, unless another one is asked for meanwhile. */
function fetchLater(store: Store<Online>, report: (event: OnlineEvent) => void): void {
  const { number, repetition } = store.current().request;
  const wait = repetition === 0 ? 0 : retryDelayMs(repetition - 1, Math.random());
  setTimeout(async () => {
    const { state, request } = store.current();
    if (state === "asking" && request.number === number) report(await fetchList(number));
  }, wait);
}

/**
 * What is known now, drawing the component anew after changes. On the server: nothing yet.
 *
 * @param settings `null` where there is no feed: then nothing is ever known.
 */
export function useOnline(settings: ClientSettings | null): Online {
  const [online, setOnline] = useState(initialOnline);
  useEffect(() => {
    if (settings === null) return;
    const feed = onlineFeed(settings);
    const follow = () => setOnline(feed.current());
    follow();
    return feed.subscribe(follow);
  }, []);
  return online;
}
