import { useEffect, useState } from "react";
import { href } from "@/shared/address.ts";
import { onlineFeed, useOnline } from "../live_view/online_feed.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import {
  atTime,
  type Rate,
  type TickerState,
  tickerState,
  withChanges,
  withHold,
  withRequested,
} from "./ticker_state.ts";
import type { OnlineSummary } from "@/shared/large_channel.ts";
import type { Activity, OnlineChanged } from "@/shared/online.ts";

/** How long the server may take to answer, in milliseconds. */
const timeoutMs = 15_000;

/** How often the number of changes is updated while there are too many to read, in milliseconds. */
const rateEveryMs = 1_000;

/** The recent activity, newest first, starting with the lines in the HTML; it can be held still. */
export function useTicker(
  settings: ClientSettings,
  first: readonly Activity[],
): [TickerState, hold: (isHeld: boolean) => void] {
  const [ticker, setTicker] = useState(() => tickerState(first));
  const { state } = useOnline(settings);
  useEffect(() => {
    const add = (added: Activity[], rate?: Rate) => {
      if (added.length > 0) setTicker((before) => withChanges(before, added, Date.now(), rate));
    };
    const feed = onlineFeed(settings);
    const stops = [
      feed.listen<OnlineChanged>("OnlineChanged", ({ changes }) => {
        add(changes.flatMap((change) => change.type === "activity" ? [change.entry] : []));
      }),
      feed.listen<OnlineSummary>("OnlineSummary", (summary) => add(summary.activity, summary)),
    ];
    return () => stops.forEach((stop) => stop());
  }, []);
  useEffect(() => {
    // The activity before the subscription, or during a broken connection.
    if (state !== "following") return;
    fetchActivity(settings).then((newest) =>
      setTicker((before) => withRequested(before, newest.toReversed()))
    );
  }, [state]);
  const { isFast } = ticker;
  useEffect(() => {
    if (!isFast) return;
    const timer = setInterval(() => setTicker((before) => atTime(before, Date.now())), rateEveryMs);
    return () => clearInterval(timer);
  }, [isFast]);
  return [ticker, (isHeld) => setTicker((before) => withHold(before, isHeld))];
}

/** Newest first; empty when the request fails. Never rejects. */
async function fetchActivity({ channelQuery = "" }: ClientSettings): Promise<Activity[]> {
  try {
    const response = await fetch(href(`/admin/online/activity?${channelQuery}`), {
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
