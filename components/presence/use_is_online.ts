import { useEffect, useState } from "preact/hooks";
import { href } from "@/shared/address.ts";
import type { LastSeen } from "@/shared/online.ts";
import { isCurrent, type Presence } from "./presence.ts";

/** How often the server is asked, in milliseconds. */
const askEveryMs = 2_000;

/**
 * Whether a user is online. A page that is told the number of users only asks every two seconds.
 *
 * @param initial whether the user is in the HTML.
 */
export function useIsOnline(
  { members, status, users }: Presence,
  id: string,
  initial: boolean,
): boolean {
  const [answered, setAnswered] = useState(initial);
  const asks = members === null && users !== null && isCurrent(status);
  useEffect(() => {
    if (!asks) return;
    const ask = async () => {
      if (document.hidden) return;
      const isOnline = await fetchIsOnline(id);
      if (isOnline !== null) setAnswered(isOnline);
    };
    void ask();
    const timer = setInterval(ask, askEveryMs);
    return () => clearInterval(timer);
  }, [asks]);
  return members?.has(id) ?? answered;
}

/** Null when the request fails: the next one replaces it. */
async function fetchIsOnline(id: string): Promise<boolean | null> {
  try {
    const response = await fetch(href(`/admin/online/seen?${new URLSearchParams({ ids: id })}`), {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(askEveryMs),
    });
    if (response.ok) {
      const seen: LastSeen[] = await response.json();
      return seen.length > 0;
    }
    await response.body?.cancel();
  } catch {
    // The connection's own status shows a failure to the reader.
  }
  return null;
}
