import { useEffect, useRef, useState } from "react";
import { href } from "../../shared/address.ts";
import { type LastSeen, maxAsked, type Person } from "../../shared/online.ts";

/** How often those who are seen are asked for, in milliseconds. */
const askEveryMs = 10_000;

/** When people were last heard of, by id, in milliseconds since 1970; of few people. */
type SeenTimes = ReadonlyMap<string, number>;

const nothing: SeenTimes = new Map();

/**
 * When those whom the reader sees were last heard of: asked again and again while the page is seen.
 *
 * @param isLive whether the connection is; nothing is asked while it is not.
 */
export function useLastSeen(idsSeen: () => readonly string[], isLive: boolean): SeenTimes {
  const [times, setTimes] = useState(nothing);
  const latest = useRef(idsSeen);
  latest.current = idsSeen;
  useEffect(() => {
    if (!isLive) return;
    const ask = async () => {
      const ids = latest.current().slice(0, maxAsked);
      if (document.hidden || ids.length === 0) return;
      const seen = await fetchSeen(ids);
      if (seen) setTimes(new Map(seen.map(({ id, lastSeenAt }) => [id, lastSeenAt])));
    };
    ask();
    const timer = setInterval(ask, askEveryMs);
    document.addEventListener("visibilitychange", ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  }, [isLive]);
  return isLive ? times : nothing;
}

/** Whoever is connected and was heard of within this time is seen now, in milliseconds. */
const nowMs = 45_000;

/**
 * When somebody was last seen, in milliseconds since 1970; `null` for now.
 *
 * @param askedAt what was heard when it was asked for; if it was not, the connection is enough.
 */
export function lastSeen(
  { connections, lastSeenAt }: Pick<Person, "connections" | "lastSeenAt">,
  askedAt: number | undefined,
  now: number,
): number | null {
  if (connections > 0 && askedAt === undefined) return null;
  const heardAt = Math.max(lastSeenAt, askedAt ?? 0);
  return connections > 0 && now - heardAt <= nowMs ? null : heardAt;
}

/** Null when there is no answer: the next one will do. */
async function fetchSeen(ids: readonly string[]): Promise<LastSeen[] | null> {
  const query = new URLSearchParams(ids.map((id) => ["ids", id]));
  try {
    const response = await fetch(href(`/admin/online/seen?${query}`), {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(askEveryMs),
    });
    if (response.ok) return await response.json();
    await response.body?.cancel();
  } catch {
    // The connection's own watch tells the reader.
  }
  return null;
}
