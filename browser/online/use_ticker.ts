import { useEffect, useState } from "react";
import { href } from "../../shared/address.ts";
import { onlineFeed, useOnline } from "./online_feed.ts";
import type { ClientSettings } from "../../shared/client_settings.ts";
import { withActivity } from "./ticker.ts";
import type { Activity, OnlineChanged } from "../../shared/online.ts";

/** How long the server may take to answer, in milliseconds. */
const timeoutMs = 15_000;

/** The recent activity, newest first, starting with the lines in the HTML. */
export function useTicker(
  settings: ClientSettings,
  first: readonly Activity[],
): readonly Activity[] {
  const [lines, setLines] = useState(first);
  const { state } = useOnline(settings);
  const add = (added: readonly Activity[]) => setLines((known) => withActivity(known, added));
  useEffect(() =>
    onlineFeed(settings).listen<OnlineChanged>("OnlineChanged", ({ changes }) => {
      add(changes.flatMap((change) => change.type === "activity" ? [change.entry] : []));
    }), []);
  useEffect(() => {
    // The activity before the subscription, or during a broken connection.
    if (state === "following") fetchActivity().then((newest) => add(newest.toReversed()));
  }, [state]);
  return lines;
}

/** Newest first; empty when the request fails. Never rejects. */
async function fetchActivity(): Promise<Activity[]> {
  try {
    const response = await fetch(href("/admin/online/activity"), {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.ok) return await response.json();
    await response.body?.cancel();
  } catch {
    // New activity arrives over the connection in any case.
  }
  return [];
}
