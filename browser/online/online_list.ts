import { href } from "../../shared/address.ts";
import type { OnlineEvent } from "./online.ts";
import { subscriptionRefusal } from "../presence/presence_signals.ts";
import type { OnlineSnapshot } from "../../shared/online.ts";

/** How long the server may take to send a list, in milliseconds. */
const patienceMs = 15_000;

/** Fetches the list of who is online, and answers how that ended. Never rejects. */
export async function fetchList(request: number): Promise<OnlineEvent> {
  try {
    const response = await fetch(href("/admin/online/snapshot"), {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(patienceMs),
    });
    if (response.ok) {
      const snapshot: OnlineSnapshot = await response.json();
      return { type: "listed", request, snapshot, at: Date.now() };
    }
    await response.body?.cancel();
    const problem = subscriptionRefusal({ status: response.status });
    if (problem !== null) return { type: "refused", problem, trueAt: Date.now() };
  } catch {
    // The network failed or the server took too long; either is worth another attempt.
  }
  const problem = "The list of who is online could not be loaded.";
  return { type: "failed", request, problem, at: Date.now() };
}
