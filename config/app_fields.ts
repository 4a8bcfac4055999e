import { z } from "zod";
import { type AppConfig, webhookEventNames } from "../realtime/app_config.ts";
import { appId, appKey, appSecret, isOrigin, webhookAddress, wholeNumber } from "./kinds.ts";

const trueOrFalse = z.boolean("true or false").optional();

function whole(low: number, high: number) {
  const allowed = wholeNumber(low, high);
  return z.number(allowed).refine(
    (value) => Number.isInteger(value) && value >= low && value <= high,
    allowed,
  ).optional();
}

/** Kilobytes, as bytes. */
function kilobytes(most: number) {
  const allowed = `a number of kilobytes over 0, up to ${most}`;
  return z.number(allowed).refine((value) => value > 0 && value <= most, allowed)
    .transform((value) => Math.round(value * 1_024)).optional();
}

function listOf<T extends z.ZodType>(item: T, most: number, what: string) {
  const allowed = `a list of 1 to ${most} ${what}`;
  return z.array(item, allowed).min(1, allowed).max(most, allowed).optional();
}

const origin = z.string("a text in quotes, such as https://example.com").refine(
  isOrigin,
  "* or an origin such as https://example.com, without a path",
);

const webhookFields = z.strictObject({
  url: webhookAddress,
  event_types: listOf(
    z.enum(webhookEventNames, `one of ${webhookEventNames.join(", ")}`),
    webhookEventNames.length,
    "names of events",
  ),
}, "a webhook in braces");

/** What a list says of an app, in the names of the list; README and docs/apps.md explain them. */
export const appFields = z.strictObject({
  id: appId,
  key: appKey,
  secret: appSecret,
  enabled: trueOrFalse,
  allowed_origins: listOf(origin, 1_000, "origins"),
  join_timeout_ms: whole(0, 3_600_000),
  max_connections: whole(0, 1_000_000),
  max_messages_per_second: whole(0, 1_000_000),
  max_presence_members_per_channel: whole(1, 1_000_000),
  max_presence_member_size_in_kb: kilobytes(16),
  max_event_payload_in_kb: kilobytes(512),
  enable_client_messages: trueOrFalse,
  max_client_events_per_second: whole(0, 10_000),
  max_api_requests_per_second: whole(0, 1_000_000),
  subscription_count: trueOrFalse,
  watchlist: trueOrFalse,
  webhooks: z.array(webhookFields, "a list of webhooks").max(10, "at most 10 webhooks").optional(),
}, "an app in braces");

/** The app that a list describes; rules that it does not state are undefined. */
export function toApp(fields: z.infer<typeof appFields>): AppConfig {
  return {
    id: fields.id,
    key: fields.key,
    secret: fields.secret,
    enabled: fields.enabled,
    allowedOrigins: fields.allowed_origins,
    joinTimeoutMs: fields.join_timeout_ms,
    maxConnections: fields.max_connections,
    maxMessagesPerSecond: fields.max_messages_per_second,
    presenceMaxMembers: fields.max_presence_members_per_channel,
    presenceMaxInfoBytes: fields.max_presence_member_size_in_kb,
    maxEventBytes: fields.max_event_payload_in_kb,
    clientEvents: fields.enable_client_messages,
    clientEventsPerSecond: fields.max_client_events_per_second,
    maxApiRequestsPerSecond: fields.max_api_requests_per_second,
    subscriptionCount: fields.subscription_count,
    watchlist: fields.watchlist,
    webhooks: fields.webhooks?.map(({ url, event_types: events }) => ({ url, events })),
  };
}
