import { href } from "@/shared/address.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { initialOnline, type Online, type OnlineEvent, reduceOnline } from "./online.ts";
import { retryDelayMs, subscriptionRefusal } from "../connection/reconnection.ts";
import type { OnlineList } from "@/shared/online.ts";
import { useEffect, useState } from "react";
import { nextFrame } from "../page/first_number.ts";
import { createStore, notLoadedText, type Store } from "../connection/store.ts";
import { text } from "@/shared/language.ts";

/** How long the server may take to answer, in milliseconds. */
const timeoutMs = 15_000;

/**
 * What the server answers with; null when it refuses, fails or takes 15 seconds. Never rejects.
 *
 * @param aborted each ends the request early.
 */
export async function fetchJson<Value>(
  address: string,
  ...aborted: AbortSignal[]
): Promise<Value | null> {
  try {
    const response = await fetch(address, {
      headers: { accept: "application/json" },
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...aborted]),
    });
    if (response.ok) return await response.json();
    await response.body?.cancel();
  } catch {
    // The network failed, or the server took too long.
  }
  return null;
}

/** Fetches the list of who is online. @returns the event that the request ended in; never rejects. */
async function fetchList(
  { channelQuery = "" }: ClientSettings,
  request: number,
): Promise<OnlineEvent> {
  try {
    const response = await fetch(href(`/admin/online/snapshot?${channelQuery}`), {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.ok) {
      const list: OnlineList = await response.json();
      return { type: "listed", request, list, at: Date.now() };
    }
    await response.body?.cancel();
    const problem = subscriptionRefusal({ status: response.status });
    if (problem !== null) return { type: "refused", problem, trueAt: Date.now() };
  } catch {
    // The network failed or the server took too long; either is worth another attempt.
  }
  const problem = text`Couldn't load the list.`;
  return { type: "failed", request, problem, at: Date.now() };
}

type Listener = (payload: never) => void;

/** The events of an admin's page, over one subscription that all islands share. */
interface OnlineFeed extends Store<Online> {
  /**
   * Calls back with the payload of every event of this name, such as `HealthMeasured`. Events arrive
   * while the store has a subscriber; those during a broken connection are lost.
   *
   * @returns unsubscribe
   */
  listen<Payload>(name: string, listener: (payload: Payload) => void): () => void;
  /** Requests the list now, if the page waits for it. */
  hurry(): void;
}

let shared: OnlineFeed | undefined;

/** The feed of this page. The settings of later calls are ignored. */
export function onlineFeed(settings: ClientSettings): OnlineFeed {
  return shared ??= createFeed(settings);
}

function createFeed(settings: ClientSettings): OnlineFeed {
  const listeners = new Map<string, Set<Listener>>();
  const received = (name: string, payload: unknown) => {
    // `listen` has its callers name the payload's type, which no value proves.
    for (const listener of [...listeners.get(name) ?? []]) listener(payload as never);
  };
  let report: (event: OnlineEvent) => void = () => {};
  const store = createStore<Online, OnlineEvent>({
    initial: initialOnline,
    reduce: reduceOnline,
    nextFrame,
    connect(apply) {
      report = (event) => {
        const { number } = store.current().request;
        apply(event);
        const { request } = store.current();
        if (request.number > number) fetchLater(settings, store, report);
        if (event.type === "listed") {
          // A list comes with what is true at its moment, as the next event may be far away.
          const { health } = event.list;
          // Where there are several servers, the answer may be another one's than the page's own.
          if (health.servers === null) received("HealthMeasured", health);
          // A page that shows neither has no listener, and an answer without them.
          received("TopPagesChanged", event.list.topPages);
          received("CountedChanged", event.list.counted);
        }
      };
      void connect(settings, report, received);
    },
  });
  return {
    ...store,
    listen(name, listener) {
      const ofName = listeners.get(name) ?? new Set();
      listeners.set(name, ofName.add(listener));
      return () => ofName.delete(listener);
    },
    hurry: () => report({ type: "hurried", at: Date.now() }),
  };
}

async function connect(
  settings: ClientSettings,
  report: (event: OnlineEvent) => void,
  received: (name: string, payload: unknown) => void,
): Promise<void> {
  try {
    // Imported here so that the server, which renders islands too, never loads a socket client.
    const { connectOnline } = await import("./online_connection.ts");
    connectOnline(settings, { report, received });
  } catch (error) {
    console.error(error);
    report({ type: "refused", problem: notLoadedText(), trueAt: Date.now() });
  }
}

/** Fetches the requested list after its wait, unless another one is requested meanwhile. */
function fetchLater(
  settings: ClientSettings,
  store: Store<Online>,
  report: (event: OnlineEvent) => void,
): void {
  const { number, repetition } = store.current().request;
  const wait = repetition === 0 ? 0 : retryDelayMs(repetition - 1, Math.random());
  setTimeout(async () => {
    const { state, request } = store.current();
    if (state === "asking" && request.number === number) report(await fetchList(settings, number));
  }, wait);
}

/**
 * Who is online; renders the component after changes. On the server: nothing yet.
 *
 * @param settings `null` where there is no feed.
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

/**
 * The numbers that an event of this name brings; renders the component after changes.
 *
 * @param first those in the HTML.
 */
export function useNewest<Numbers extends { at: number }>(
  settings: ClientSettings,
  name: string,
  first: Numbers,
): Numbers {
  const [newest, setNewest] = useState(first);
  // Connects the feed.
  useOnline(settings);
  useEffect(() =>
    onlineFeed(settings).listen<Numbers>(name, (next) => {
      // A list can come after an event that is newer.
      setNewest((before) => next.at < before.at ? before : next);
    }), []);
  return newest;
}
