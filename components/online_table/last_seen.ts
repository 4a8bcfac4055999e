import { useEffect, useRef, useState } from "react";
import { href } from "@/shared/address.ts";
import { type LastSeen, maxLastSeenIds, type Person } from "@/shared/online.ts";

/** How often the times of the visible rows are requested, in milliseconds. */
const requestEveryMs = 10_000;

/** The times of the last signs of life, by id, in milliseconds since 1970. */
type SeenTimes = ReadonlyMap<string, number>;

const noTimes: SeenTimes = new Map();

/**
 * When the people in the visible rows last gave a sign of life. Requested every ten seconds while the
 * page is visible.
 *
 * @param isLive whether the connection is live; nothing is requested while it is not.
 * @param channelQuery of the page's settings.
 */
export function useLastSeen(
  visibleIds: () => readonly string[],
  isLive: boolean,
  channelQuery = "",
): SeenTimes {
  const [times, setTimes] = useState(noTimes);
  const latest = useRef(visibleIds);
  latest.current = visibleIds;
  useEffect(() => {
    if (!isLive) return;
    const request = async () => {
      const ids = latest.current().slice(0, maxLastSeenIds);
      if (document.hidden || ids.length === 0) return;
      const seen = await fetchSeen(ids, channelQuery);
      if (seen) setTimes(new Map(seen.map(({ id, lastSeenAt }) => [id, lastSeenAt])));
    };
    request();
    const timer = setInterval(request, requestEveryMs);
    document.addEventListener("visibilitychange", request);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", request);
    };
  }, [isLive]);
  return isLive ? times : noTimes;
}

/** A connected person with a sign of life within this time is heard from now, in milliseconds. */
const nowMs = 45_000;

/**
 * When a person was last heard from, in milliseconds since 1970; `null` for now.
 *
 * @param requestedAt the time that {@link useLastSeen} has; without it the open connection counts.
 */
export function lastSeen(
  { connections, lastSeenAt }: Pick<Person, "connections" | "lastSeenAt">,
  requestedAt: number | undefined,
  now: number,
): number | null {
  if (connections > 0 && requestedAt === undefined) return null;
  const seenAt = Math.max(lastSeenAt, requestedAt ?? 0);
  return connections > 0 && now - seenAt <= nowMs ? null : seenAt;
}

/** Null when the request fails: the next one replaces it. */
async function fetchSeen(ids: readonly string[], channelQuery: string): Promise<LastSeen[] | null> {
  const query = new URLSearchParams(ids.map((id) => ["ids", id]));
  try {
    const response = await fetch(href(`/admin/online/seen?${query}&${channelQuery}`), {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(requestEveryMs),
    });
    if (response.ok) return await response.json();
    await response.body?.cancel();
  } catch {
    // The connection's own status shows a failure to the reader.
  }
  return null;
}
