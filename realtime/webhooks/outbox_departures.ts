import { z } from "zod";
import type { AwaitedReturn } from "./pending_departures.ts";
import type { ChannelOccurrence } from "../events/server_events.ts";
import type { UndeliveredEvents } from "./outbox_events.ts";
import { webhookEvent } from "./webhook_events.ts";

/** So many departures are kept together. */
const maxTogether = 1_000;

const departures = z.array(z.union([
  z.object({ name: z.literal("channel_vacated"), channel: z.string() }),
  z.object({ name: z.literal("member_removed"), channel: z.string(), user_id: z.string() }),
]));

/** What is kept of departures whose clients may come back to the server's successor. */
export function recordsOf(
  awaited: readonly AwaitedReturn[],
  begin: () => Pick<UndeliveredEvents, "id" | "acceptedAt">,
): UndeliveredEvents[] {
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

function chunks(awaited: readonly AwaitedReturn[]): AwaitedReturn[][] {
  const count = Math.ceil(awaited.length / maxTogether);
  const starts = Array.from({ length: count }, (_, index) => index * maxTogether);
  return starts.map((start) => awaited.slice(start, start + maxTogether));
}

/**
 * The departures that were kept.
 *
 * @throws when they are no departures.
 */
export function departuresOf({ appId, events }: UndeliveredEvents): AwaitedReturn[] {
  return departures.parse(JSON.parse(`[${events}]`)).map((event) => ({
    appId,
    departure: occurrenceOf(event),
  }));
}

function occurrenceOf(event: z.infer<typeof departures>[number]): ChannelOccurrence {
  if (event.name === "channel_vacated") return event;
  const { name, channel, user_id: userId } = event;
  return { name, channel, userId, reason: "server_restart" };
}
