import { useEffect, useState } from "preact/hooks";
import {
  type FollowedPresence,
  initialPresence,
  type Presence,
  type PresenceEvent,
  reducePresence,
} from "./presence.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { Freshness } from "@/shared/recovery.ts";
import { createStore, notLoadedText, type Store } from "../connection/store.ts";
import { firstNumber, nextFrame } from "../page/first_number.ts";

let shared: Store<FollowedPresence> | undefined;

/** The store of this page, with one connection and one subscription for all islands. */
function sharedPresence(settings: ClientSettings): Store<FollowedPresence> {
  return shared ??= createStore<FollowedPresence, PresenceEvent>({
    initial: initialPresence(Date.now()),
    reduce: reducePresence,
    connect(report) {
      firstNumber.expect();
      void connect(settings, report);
    },
    nextFrame,
  });
}

/**
 * The presence; renders the component after changes. On the server: nothing yet.
 *
 * @param first how far the number in the HTML can be believed, which is shown from the beginning.
 */
export function usePresence(settings: ClientSettings, first?: Freshness): Presence {
  const [presence, setPresence] = useState<Presence>(() => initialPresence(0));
  useEffect(() => {
    const store = sharedPresence(settings);
    const follow = () => {
      setPresence(store.current());
      if (store.current().status !== "connecting") firstNumber.arrived();
    };
    follow();
    return store.subscribe(follow);
  }, []);
  const isFirst = presence.status === "connecting" && presence.users === null;
  if (!isFirst || !first || first.state === "live") return presence;
  return first.state === "stale"
    ? { ...presence, status: "stale", staleSince: first.since }
    : { ...presence, status: "recovering", recovery: first };
}

async function connect(
  settings: ClientSettings,
  report: (event: PresenceEvent) => void,
): Promise<void> {
  try {
    // Imported here so that the server, which renders islands too, never loads a socket client.
    const { connectPresence } = await import("./presence_connection.ts");
    connectPresence(settings, report);
  } catch (error) {
    console.error(error);
    report({ type: "refused", reason: notLoadedText(), at: Date.now() });
  }
}
