import { useEffect, useState } from "react";
import { href } from "../../shared/address.ts";
import { onlineFeed, useOnline } from "./online_feed.ts";
import type { ClientSettings } from "../../shared/client_settings.ts";
import { withActivity } from "./ticker.ts";
import type { Activity, OnlineChanged } from "../../shared/online.ts";

/** How long the server may take to answer, in milliseconds. */
const patienceMs = 15_000;

/** Who came and went last, newest first, from what the server drew on. */
export function useTicker(
  settings: ClientSettings,
  first: readonly Activity[],
): readonly Activity[] {
  const [lines, setLines] = useState(first);
  const { state } = useOnline(settings);
  const add = (told: readonly Activity[]) => setLines((known) => withActivity(known, told));
  useEffect(() =>
    onlineFeed(settings).listen<OnlineChanged>("OnlineChanged", ({ changes }) => {
      add(changes.flatMap((change) => change.type === "activity" ? [change.entry] : []));
    }), []);
  useEffect(() => {
    // What happened before the page heard of everything, or while it heard of nothing.
    if (state === "following") fetchActivity().then((newest) => add(newest.toReversed()));
  }, [state]);
  return lines;
}

/** The newest first; none when the server does not answer. Never rejects. */
async function fetchActivity(): Promise<Activity[]> {
  try {
    const response = await fetch(href("/admin/online/activity"), {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(patienceMs),
    });
    if (response.ok) return await response.json();
    await response.body?.cancel();
  } catch {
    // What happens from now on is told all the same.
  }
  return [];
}
