import { useEffect, useState } from "react";
import { nextFrame } from "../page/next_frame.ts";
import { initialPresence, type Presence, type PresenceEvent, reducePresence } from "./presence.ts";
import type { ClientSettings } from "../../shared/client_settings.ts";
import { createStore, type Store } from "../page/store.ts";

let shared: Store<Presence> | undefined;

/** The store of this page; all islands share it, and with it one connection and one subscription. */
function sharedPresence(settings: ClientSettings): Store<Presence> {
  return shared ??= createStore<Presence, PresenceEvent>({
    initial: initialPresence(Date.now()),
    reduce: reducePresence,
    connect: (report) => void connect(settings, report),
    nextFrame,
  });
}

/** What is known now, drawing the component anew after changes. On the server: nothing yet. */
export function usePresence(settings: ClientSettings): Presence {
  const [presence, setPresence] = useState(() => initialPresence(0));
  useEffect(() => {
    const store = sharedPresence(settings);
    const follow = () => setPresence(store.current());
    follow();
    return store.subscribe(follow);
  }, []);
  return presence;
}

async function connect(
  settings: ClientSettings,
  report: (event: PresenceEvent) => void,
): Promise<void> {
  try {
    // Loaded here so that the server, which draws islands too, never loads a socket client.
    const { connectPresence } = await import("./presence_connection.ts");
    connectPresence(settings, report);
  } catch (error) {
    console.error(error);
    const reason = "The live connection could not be loaded. Reload the page.";
    report({ type: "refused", reason, at: Date.now() });
  }
}
