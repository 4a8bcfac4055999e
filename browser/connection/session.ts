import type { SessionStatus } from "../../shared/session.ts";

/** How long the server may take to answer, in milliseconds. */
const timeoutMs = 10_000;

/**
 * Whether the browser is signed in; null when the server does not answer. Never rejects.
 *
 * @param authEndpoint the address of the auth route, beside which is that of the session.
 */
export async function isSignedIn(authEndpoint: string): Promise<boolean | null> {
  try {
    const response = await fetch(authEndpoint.replace(/[^/]+$/, "session"), {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.ok) return (await response.json() as SessionStatus).isSignedIn;
    await response.body?.cancel();
  } catch {
    // What the page shows is true without the answer.
  }
  return null;
}

/**
 * Reloads the page once the reader has signed in again, in another tab: when this one gets the focus or
 * becomes visible.
 */
export function reloadOnceSignedIn(authEndpoint: string): void {
  const look = async () => {
    if (!document.hidden && await isSignedIn(authEndpoint)) location.reload();
  };
  addEventListener("focus", look);
  document.addEventListener("visibilitychange", look);
}
