import { z } from "zod";
import type { PendingDeparture } from "./pending_departures.ts";
import type { ChannelServerEvent } from "../events/server_events.ts";
import type { OutboxEvents } from "./outbox_events.ts";
import { webhookEvent } from "./webhook_events.ts";

/** So many departures are kept together. */
const maxTogether = 1_000;

const departures = z.array(z.union([
  z.object({ name: z.literal("channel_vacated"), channel: z.string() }),
  z.object({ name: z.literal("member_removed"), channel: z.string(), user_id: z.string() }),
]));

/** What is kept of departures whose clients may come back to the server's successor. */
export function recordsOf(
  awaited: readonly PendingDeparture[],
  begin: () => Pick<OutboxEvents, "id" | "acceptedAt">,
): OutboxEvents[] {
  const byApp = Map.groupBy(awaited, ({ appId }) => appId);
  return [...byApp].flatMap(([appId, ofApp]) =>
    chunks(ofApp).map((chunk) => ({
      ...begin(),
      appId,
      webhook: null,
      events: chunk.map(({ departure }) => webhookEvent(departure)).join(","),
      count: chunk.length,
    }))
  );
}

function chunks(awaited: readonly PendingDeparture[]): PendingDeparture[][] {
  const count = Math.ceil(awaited.length / maxTogether);
  const starts = Array.from({ length: count }, (_, index) => index * maxTogether);
  return starts.map((start) => awaited.slice(start, start + maxTogether));
}

/**
 * The departures that were kept.
 *
 * @throws when they are no departures.
 */
export function departuresOf({ appId, events }: OutboxEvents): PendingDeparture[] {
  return departures.parse(JSON.parse(`[${events}]`)).map((event) => ({
    appId,
    departure: serverEventOf(event),
  }));
}

function serverEventOf(event: z.infer<typeof departures>[number]): ChannelServerEvent {
  if (event.name === "channel_vacated") return event;
  const { name, channel, user_id: userId } = event;
  return { name, channel, userId, reason: "server_restart" };
}
