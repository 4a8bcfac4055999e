import { z } from "zod";
import type { PendingDeparture } from "./pending_departures.ts";
import type { ChannelServerEvent } from "../events/server_events.ts";
import type { OutboxEvents } from "./outbox_events.ts";
import { webhookEvent } from "./webhook_events.ts";

/** Departures of one record. */
const maxPerRecord = 1_000;

const departures = z.array(z.union([
  z.object({ name: z.literal("channel_vacated"), channel: z.string() }),
  z.object({ name: z.literal("member_removed"), channel: z.string(), user_id: z.string() }),
]));

/** The records of departures whose clients may return to the server's successor. */
export function recordsOf(
  pending: readonly PendingDeparture[],
  begin: () => Pick<OutboxEvents, "id" | "acceptedAt">,
): OutboxEvents[] {
  const byApp = Map.groupBy(pending, ({ appId }) => appId);
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

function chunks(pending: readonly PendingDeparture[]): PendingDeparture[][] {
  const count = Math.ceil(pending.length / maxPerRecord);
  const starts = Array.from({ length: count }, (_, index) => index * maxPerRecord);
  return starts.map((start) => pending.slice(start, start + maxPerRecord));
}

/**
 * The departures of a record.
 *
 * @throws {Error} when it has other events.
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
