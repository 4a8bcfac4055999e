import { href } from "@/shared/address.ts";
import type { AppStatus } from "@/shared/app_status.ts";

/** How long the server may take, in milliseconds. */
const timeoutMs = 15_000;

/** Fetches how an app's clients fare; null when the request failed. */
export async function fetchStatus(appId: string): Promise<AppStatus | null> {
  try {
    const address = href(`/admin/connect/status?app=${encodeURIComponent(appId)}`);
    const response = await fetch(address, {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.ok) return await response.json();
    await response.body?.cancel();
  } catch {
    // The next notice fetches it again.
  }
  return null;
}
