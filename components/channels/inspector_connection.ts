import "../page/every_page_scripts.ts";
import { href } from "@/shared/address.ts";
import { text } from "@/shared/language.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { InspectedEvents, Inspection } from "@/shared/inspection.ts";
import { keepSubscribed, sharedEcho } from "../connection/echo.ts";

/** How long the server may take, in milliseconds. */
const timeoutMs = 15_000;

/** What happens while a page inspects a channel. */
export type InspectionEvent =
  /** The server follows the events; those so far. */
  | { type: "opened"; events: InspectedEvents }
  | { type: "passed"; events: InspectedEvents }
  /** The page left the channel before the server answered, and will join it again. */
  | { type: "left" }
  /** The server refused for good; the reason is a sentence for the reader. */
  | { type: "refused"; reason: string };

/** Where the events of a channel come from. */
export interface InspectedChannel {
  /** The path of the events so far. */
  eventsPath: string;
  /** The name by which Echo knows the channel on which pages receive them. */
  pagesChannel: string;
}

/** Joins the channel on which the events of another one are sent, as long as the page is open. */
export function connectInspector(
  settings: ClientSettings,
  { eventsPath, pagesChannel }: InspectedChannel,
  report: (event: InspectionEvent) => void,
): void {
  const channel = sharedEcho(settings).private(pagesChannel);
  // The server follows events from the time of this request on.
  const open = async () => report(await openingOf(eventsPath));
  channel.listenToAll((name: string, payload: unknown) => {
    if (name === "EventsInspected") report({ type: "passed", events: payload as InspectedEvents });
    if (name === "InspectionEnded") void open();
  });
  channel.subscribed(open);
  keepSubscribed(channel, { refused: (reason) => report({ type: "refused", reason }) });
}

async function openingOf(path: string): Promise<InspectionEvent> {
  try {
    const response = await fetch(href(path), {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer = await response.json();
    // The page's server is gone: its socket connects again, and then this is asked again.
    if (answer.reason === "socket_unreachable") return { type: "left" };
    if (!response.ok) return { type: "refused", reason: String(answer.message) };
    const { isOpen, ...events }: Inspection = answer;
    return isOpen ? { type: "opened", events } : { type: "left" };
  } catch {
    return { type: "refused", reason: text`Couldn't reach the server. Reload the page.` };
  }
}
