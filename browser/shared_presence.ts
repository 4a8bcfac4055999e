import { useEffect, useState } from "react";
import { initialPresence, type Presence, type PresenceEvent } from "./presence.ts";
import { createPresenceStore, type PresenceStore } from "./presence_store.ts";
import type { ClientSettings } from "./settings.ts";

/** How often hidden pages follow, in milliseconds: browsers draw no frames for them. */
const hiddenFrameMs = 250;

let shared: PresenceStore | undefined;

/** The store of this page; all islands share it, and with it one connection and one subscription. */
function sharedPresence(settings: ClientSettings): PresenceStore {
  return shared ??= createPresenceStore({
    connect: (report) => void connect(settings, report),
    nextFrame: (callback) => {
      if (document.hidden) setTimeout(callback, hiddenFrameMs);
      else requestAnimationFrame(callback);
    },
    now: Date.now,
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
