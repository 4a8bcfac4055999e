import { z } from "zod";
import { type Attribute, attributesOf, infoOf } from "./channel_attributes.ts";
import { badRequest, parseBody, reservedText, tooLarge } from "./api_request.ts";
import { isReserved } from "../app_config.ts";
import type { AppApi } from "./app_api.ts";
import type { Publisher } from "../events/server_events.ts";
import { byteLength, isServersOwnEvent } from "../protocol/outgoing.ts";
import { isEncryptedChannel } from "../protocol/channel_names.ts";
import { channelName, readValue } from "../protocol/incoming.ts";
import { isSocketId } from "../protocol/socket_id.ts";

/** Channels of one event (Pusher: 100). */
export const maxChannels = 100;

/** Events of one batch (Pusher: 10). */
export const maxBatch = 10;

/** The longest name of an event, in UTF-16 units. */
export const maxEventNameLength = 200;

const content = {
  name: z.string().min(1).max(maxEventNameLength).refine(
    (name) => !isServersOwnEvent(name),
    "names that begin with pusher:, pusher_internal: or rollcall: are the protocol's own",
  ),
  data: z.string(),
  socket_id: z.string().refine(isSocketId, "a socket id is two numbers with a dot between")
    .nullish(),
  info: infoOf(["user_count", "subscription_count"]),
};

const toOneChannel = z.object({ ...content, channel: channelName });

const toChannels = z.object({
  ...content,
  channel: channelName.optional(),
  channels: z.array(channelName).min(1).max(maxChannels).optional(),
}).refine(
  ({ channel, channels }) => (channel === undefined) !== (channels === undefined),
  "either channel or channels must be given",
).transform(({ channel, channels, ...event }) => ({
  ...event,
  channels: [...new Set(channels ?? [channel ?? ""])],
})).refine(
  ({ channels }) => channels.length === 1 || !channels.some(isEncryptedChannel),
  "an encrypted channel must be the only one: each has a key of its own",
);

const batchOfEvents = z.object({
  batch: z.array(toOneChannel).max(maxBatch, {
    error: ({ input }) => `Batch too large (${(input as unknown[]).length} > ${maxBatch})`,
  }),
});

/** A valid event. */
export interface Event {
  name: string;
  data: string;
  socket_id?: string | null;
  channels: string[];
  info: Attribute[];
}

/**
 * `POST events`: one event to one or more channels.
 *
 * @throws {ApiError} 400 for a malformed event, 413 for data over the app's limit; then nothing was
 * sent.
 * @throws {Unavailable} when it may not have reached all servers.
 */
export async function triggerEvent(app: AppApi, body: string): Promise<unknown> {
  const event = parseBody(body, toChannels);
  checkEvent(app, event);
  await publishAll(app, [event], "api");
  if (event.info.length === 0) return {};
  const attributes = await attributesOf(app, event.channels, event.info);
  return {
    channels: Object.fromEntries(event.channels.map((name, index) => [name, attributes[index]])),
  };
}

/**
 * Sends an event from this server's own code, by the same rules. While the other servers cannot be
 * reached, it is lost: pages that miss events read what is right when they connect.
 *
 * @throws {ApiError} as {@link triggerEvent} does.
 */
export function sendEvent(app: AppApi, event: z.input<typeof toChannels>): void {
  publishAll(app, [readEvent(app, event)], "server").catch(() => {});
}

/**
 * Reads an event of this server's own code, as {@link sendEvent} would send it.
 *
 * @throws {ApiError} as {@link triggerEvent} does.
 */
export function readEvent(app: AppApi, event: z.input<typeof toChannels>): Event {
  const result = readValue(event, toChannels, "event");
  if (!result.ok) throw badRequest(result.fault);
  checkSize(app, result.value);
  return result.value;
}

/**
 * `POST batch_events`: up to ten events, to one channel each. All of them are sent, or none.
 *
 * @throws {ApiError} as {@link triggerEvent} does.
 */
export async function triggerBatch(app: AppApi, body: string): Promise<unknown> {
  const events = parseBody(body, batchOfEvents).batch
    .map(({ channel, ...event }) => ({ ...event, channels: [channel] }));
  for (const event of events) checkEvent(app, event);
  await publishAll(app, events, "api");
  if (events.every(({ info }) => info.length === 0)) return {};
  const batch = await Promise.all(
    events.map(({ channels, info }) => attributesOf(app, channels, info)),
  );
  return { batch: batch.flat() };
}

function checkEvent(app: AppApi, event: Event): void {
  const reserved = event.channels.find((channel) => isReserved(app.settings, channel));
  if (reserved !== undefined) throw badRequest(reservedText(reserved));
  checkSize(app, event);
}

/** The words are Pusher's: callers search answers for them. */
function checkSize({ settings: { maxEventBytes } }: AppApi, { name, data }: Event): void {
  const bytes = byteLength(data);
  if (bytes <= maxEventBytes) return;
  throw tooLarge(
    `The data content of this event exceeds the allowed maximum (${maxEventBytes} bytes): the data ` +
      `of ${name} has ${bytes}`,
  );
}

/** Sends events to their channels in the given order, and waits for the last. */
async function publishAll(
  app: AppApi,
  events: readonly Event[],
  from: Publisher,
): Promise<void> {
  const sent = events.flatMap(({ name, data, socket_id, channels }) =>
    channels.map((channel) =>
      app.publish({ channel, name, data, except: socket_id ?? undefined, from })
    )
  );
  await Promise.all(sent);
}
