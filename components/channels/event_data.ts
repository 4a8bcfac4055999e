import { href } from "@/shared/address.ts";
import type { EventData } from "@/shared/inspection.ts";

/** How long the server may take, in milliseconds. */
const timeoutMs = 15_000;

/** Fetches the data of an event, which the audit log records; a sentence when that failed. */
export async function fetchEventData(
  fields: Record<string, string>,
): Promise<EventData | { problem: string }> {
  try {
    const response = await fetch(href("/admin/channels/data"), {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer = await response.json();
    return response.ok ? answer : { problem: String(answer.message) };
  } catch {
    return { problem: "Couldn't reach the server. Try again." };
  }
}
