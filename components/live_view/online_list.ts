import { href } from "@/shared/address.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { OnlineEvent } from "./online.ts";
import { subscriptionRefusal } from "../connection/refusals.ts";
import type { OnlineList } from "@/shared/online.ts";

/** How long the server may take to send a list, in milliseconds. */
const timeoutMs = 15_000;

/** Fetches the list of who is online. @returns the event that the request ended in; never rejects. */
export async function fetchList(
  { channelQuery = "" }: ClientSettings,
  request: number,
): Promise<OnlineEvent> {
  try {
    const response = await fetch(href(`/admin/online/snapshot?${channelQuery}`), {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.ok) {
      const list: OnlineList = await response.json();
      return { type: "listed", request, list, at: Date.now() };
    }
    await response.body?.cancel();
    const problem = subscriptionRefusal({ status: response.status });
    if (problem !== null) return { type: "refused", problem, trueAt: Date.now() };
  } catch {
    // The network failed or the server took too long; either is worth another attempt.
  }
  const problem = "Couldn't load the list.";
  return { type: "failed", request, problem, at: Date.now() };
}
