import { z } from "zod";
import {
  type AppConfig,
  appSettings,
  type Webhook,
  webhookEventNames,
  webhookParts,
} from "@/realtime/app_config.ts";
import { maxQuietChannels } from "@/realtime/channels/reported_pages.ts";
import { type Field, schemasOf } from "./setting.ts";
import {
  type ExternalField,
  fieldNameOf,
  maxEventKilobytes,
  reverbFields,
  soketiFields,
  soketiWebhookFields,
} from "./external_app_fields.ts";
import {
  appId,
  appKey,
  appSecret,
  flag,
  isHostPattern,
  isOrigin,
  quietPattern,
  webhookAddress,
  webhookHeaders,
  webhookPart,
  wholeNumber,
} from "./schemas.ts";

/** As JSON has it, or as a database or an environment does. */
const trueOrFalse = z.union(
  [z.boolean(), z.literal([0, 1]).transform(Boolean), flag],
  "true or false",
)
  .optional();

/** A number, or its text; -1 is no limit. */
function numberOr(allowed: string, unlimited: number) {
  const text = z.string().regex(/^-?\d{1,15}(\.\d{1,15})?$/).transform(Number);
  return z.union([z.number(), text], allowed)
    .transform((value) => value === -1 ? unlimited : value);
}

/** -1 is 0 where that is no limit, and the greatest number where there has to be a limit. */
function whole(low: number, high: number) {
  const allowed = wholeNumber(low, high);
  return numberOr(allowed, low === 0 ? 0 : high).refine(
    (value) => Number.isInteger(value) && value >= low && value <= high,
    allowed,
  ).optional();
}

/** Kilobytes, as bytes. */
function kilobytes(most: number) {
  const allowed = `a number of kilobytes over 0, up to ${most}`;
  return numberOr(allowed, most).refine((value) => value > 0 && value <= most, allowed)
    .transform((value) => Math.round(value * 1_024)).optional();
}

function listOf<T extends z.ZodType>(item: T, most: number, what: string) {
  const allowed = `a list of 1 to ${most} ${what}`;
  return z.array(item, allowed).min(1, allowed).max(most, allowed).optional();
}

const origin = z.string("a text in quotes, such as https://example.com").refine(
  (text) => isOrigin(text) || isHostPattern(text),
  "*, an origin such as https://example.com, without a path, or a host such as *.example.com",
).transform((text) => text.toLowerCase());

/** The beginning or the end of a channel's name; a list that was exported may have it empty. */
const partOfName = z.string("a text in quotes").max(164, "at most 164 characters").nullish()
  .transform((text) => text || undefined);

const webhookFields = z.strictObject({
  url: webhookAddress,
  event_types: listOf(
    z.enum(webhookEventNames, `one of ${webhookEventNames.join(", ")}`),
    webhookEventNames.length,
    "names of events",
  ),
  filter: z.strictObject({
    channel_name_starts_with: partOfName,
    channel_name_ends_with: partOfName,
  }, "a filter in braces").optional(),
  headers: webhookHeaders.optional(),
  include: listOf(webhookPart, webhookParts.length, "parts"),
}, "a webhook in braces");

/** The webhooks of an app. */
export const maxWebhooks = 10;

const webhookList = z.array(webhookFields, "a list of webhooks").max(
  maxWebhooks,
  `at most ${maxWebhooks} webhooks`,
)
  .superRefine((webhooks, context) => {
    // What waits for a URL is sent with the headers that it has at that time.
    const headersOf = new Map<string, string>();
    for (const [index, { headers = {}, url }] of webhooks.entries()) {
      const text = JSON.stringify(headers);
      if ((headersOf.get(url) ?? text) !== text) {
        const message = "the same headers for each webhook with this url";
        context.addIssue({ code: "custom", message, path: [index, "headers"] });
      }
      headersOf.set(url, text);
    }
  });

/** A webhook that a list describes. */
function toWebhook(fields: z.infer<typeof webhookFields>): Webhook {
  const { event_types: events, filter, headers, include, url } = fields;
  const startsWith = filter?.channel_name_starts_with;
  const endsWith = filter?.channel_name_ends_with;
  return {
    url,
    events,
    ...(startsWith ?? endsWith) !== undefined && { filter: { startsWith, endsWith } },
    ...headers && { headers },
    ...include && { include },
  };
}

const defaults = appSettings({ id: "", key: "", secret: "" });

/** Every field of an app in a list: each is said here once, for the parser and for the documents. */
export const documentedAppFields = {
  id: { schema: appId, about: "Names the app in the URLs of the HTTP API." },
  key: { schema: appKey, about: "Names the app in the URLs of sockets." },
  secret: { schema: appSecret, about: "What the app's server and Rollcall sign with." },
  name: {
    schema: z.string("a text in quotes").trim().min(1, "a name").max(100, "at most 100 characters")
      .optional(),
    about: "What admins call the app.",
  },
  enabled: {
    schema: trueOrFalse,
    default: defaults.enabled,
    about: "Whether the app is served. If not, its clients are closed with code 4003 and its API " +
      "requests get status 403.",
  },
  allowed_origins: {
    schema: listOf(origin, 1_000, "origins"),
    default: "ALLOWED_ORIGINS",
    about:
      "Origins whose pages may open sockets, or host names, which stand for every scheme and " +
      'port; `*.example.com` for all hosts below it, `["*"]` for any origin.',
  },
  join_timeout_ms: {
    schema: whole(0, 3_600_000),
    default: "JOIN_TIMEOUT_MS",
    about:
      "Closes connections that neither sign in nor join a private or presence channel within " +
      "this time. 0 turns this off.",
  },
  max_connections: {
    schema: whole(0, 1_000_000),
    default: defaults.maxConnections,
    about:
      "Maximum open connections. Further clients are closed with code 4004 and do not retry. " +
      "0 is no limit except `MAX_CONNECTIONS`.",
  },
  max_messages_per_second: {
    schema: whole(0, 1_000_000),
    default: defaults.maxMessagesPerSecond,
    about:
      "Maximum messages that one connection sends. Further messages are ignored and answered " +
      "with an error. 0 is no limit.",
  },
  max_presence_members_per_channel: {
    schema: whole(1, 1_000_000),
    default: "PRESENCE_MAX_MEMBERS",
    about: "Maximum users in a presence channel, quiet or not. When you lower it, members stay.",
  },
  max_full_members_per_channel: {
    schema: whole(1, 1_000_000),
    default: "PRESENCE_MAX_FULL_MEMBERS",
    about: "Maximum users in a presence channel that are not [quiet](large-rooms.md).",
  },
  quiet_channels: {
    schema: z.array(quietPattern, "a list of names of channels")
      .max(maxQuietChannels, `at most ${maxQuietChannels} names of channels`).optional(),
    default: "QUIET_CHANNELS",
    about: "Presence channels whose members are [quiet](large-rooms.md) unless they are signed " +
      'otherwise, such as `["presence-event.*"]`. Each may have one `*`, for any characters.',
  },
  max_presence_member_size_in_kb: {
    schema: kilobytes(16),
    default: defaults.presenceMaxInfoBytes / 1_024,
    about: "Maximum size of a member's `user_info`.",
  },
  max_event_payload_in_kb: {
    schema: kilobytes(maxEventKilobytes),
    default: defaults.maxEventBytes / 1_024,
    about:
      "Maximum size of an event's data. Whatever it is, a client's frame has at most 16 KB and " +
      "an API request 1 MB.",
  },
  enable_client_messages: {
    schema: trueOrFalse,
    default: "CLIENT_EVENTS",
    about: "Whether clients may send `client-` events to each other.",
  },
  max_client_events_per_second: {
    schema: whole(0, 10_000),
    default: "CLIENT_EVENTS_PER_SECOND",
    about: "Maximum `client-` events of one connection. 0 is no limit.",
  },
  max_api_requests_per_second: {
    schema: whole(0, 1_000_000),
    default: "API_REQUESTS_PER_SECOND",
    about: "Maximum API requests. Further requests get status 403. 0 is no limit.",
  },
  subscription_count: {
    schema: trueOrFalse,
    default: "SUBSCRIPTION_COUNT",
    about: "Whether subscribers are notified of the number of subscribers.",
  },
  watchlist: {
    schema: trueOrFalse,
    default: "WATCHLIST",
    about: "Whether signed-in users are notified of users on their watchlists.",
  },
  webhooks: {
    schema: webhookList.optional(),
    about:
      "Up to 10 [webhooks](webhooks.md), each with a `url` and, to receive other events than " +
      "Pusher's, `event_types`; [further fields](webhooks-reference.md#what-a-webhook-receives) choose " +
      "channels, add headers and say more about who joined and left.",
  },
} satisfies Record<string, Field>;

/** What a list says of an app, in the names of the list. */
export const appFields = z.strictObject(schemasOf(documentedAppFields), "an app in braces");

/** The app that a list describes; rules that it does not state are undefined. */
export function toApp(fields: z.infer<typeof appFields>): AppConfig {
  return {
    id: fields.id,
    key: fields.key,
    secret: fields.secret,
    name: fields.name,
    enabled: fields.enabled,
    allowedOrigins: fields.allowed_origins,
    joinTimeoutMs: fields.join_timeout_ms,
    maxConnections: fields.max_connections,
    maxMessagesPerSecond: fields.max_messages_per_second,
    presenceMaxMembers: fields.max_presence_members_per_channel,
    presenceMaxFullMembers: fields.max_full_members_per_channel,
    quietChannels: fields.quiet_channels,
    presenceMaxInfoBytes: fields.max_presence_member_size_in_kb,
    maxEventBytes: fields.max_event_payload_in_kb,
    clientEvents: fields.enable_client_messages,
    clientEventsPerSecond: fields.max_client_events_per_second,
    maxApiRequestsPerSecond: fields.max_api_requests_per_second,
    subscriptionCount: fields.subscription_count,
    watchlist: fields.watchlist,
    webhooks: fields.webhooks?.map(toWebhook),
  };
}

/** What is made of an app of a list. */
interface TakenFields {
  /** The app with its own fields, and fields that no server knows. */
  fields: unknown;
  /** Fields of other servers that have no meaning here, by their names there. */
  ignored: string[];
}

/** Names that earlier versions had for fields, which are still read. */
const formerFields: Record<string, ExternalField> = {
  max_loud_members_per_channel: { ours: "max_full_members_per_channel", about: "" },
};

const external = byFieldName({ ...soketiFields, ...reverbFields, ...formerFields });
const externalOfWebhook = byFieldName(soketiWebhookFields);

/**
 * Takes an app of another server's list over: fields that have their meaning under another name get
 * that name; fields that have none here are left out.
 *
 * @param app any JSON value, with names in snake_case.
 * @param onDuplicate called with the name of each field that is given by two names.
 */
export function takeAppFields(app: unknown, onDuplicate: (name: string) => void): TakenFields {
  if (typeof app !== "object" || app === null || Array.isArray(app)) {
    return { fields: app, ignored: [] };
  }
  const ignored: string[] = [];
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(app)) {
    const field = Object.hasOwn(documentedAppFields, name) ? undefined : external.get(name);
    const ownName = field?.ours ?? name;
    const converted = field?.convert ? field.convert(value) : value;
    if (field && field.ours === undefined) ignored.push(...namedIfSet(field.name, value));
    else if (fields.has(ownName)) onDuplicate(ownName);
    else if (converted !== undefined) fields.set(ownName, converted);
  }
  if (Number.isInteger(fields.get("id"))) fields.set("id", String(fields.get("id")));
  if (fields.has("webhooks")) fields.set("webhooks", takeWebhooks(fields.get("webhooks"), ignored));
  return { fields: Object.fromEntries(fields), ignored };
}

/** The webhooks of an app; a database has them as the text of a list. */
function takeWebhooks(value: unknown, ignored: string[]): unknown {
  const list = typeof value === "string" ? parsed(value) : value;
  if (!Array.isArray(list)) return list;
  return list.flatMap((webhook: unknown) => {
    if (typeof webhook !== "object" || webhook === null || Array.isArray(webhook)) return [webhook];
    const entries = Object.entries(webhook);
    const meansNothing = (name: string) =>
      externalOfWebhook.has(name) && externalOfWebhook.get(name)?.ours === undefined;
    const own = Object.fromEntries(entries.filter(([name]) => !meansNothing(name)));
    for (const [name, item] of entries) {
      const field = externalOfWebhook.get(name);
      if (field && meansNothing(name)) ignored.push(...namedIfSet(`webhooks.${field.name}`, item));
    }
    return "lambda_function" in webhook && !("url" in own) ? [] : [own];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The name, unless the value is none: no limit, or an empty list or object. */
function namedIfSet(name: string, value: unknown): string[] {
  const isEmpty = typeof value === "object" && Object.keys(value ?? {}).length === 0;
  return isEmpty || Number(value) === -1 ? [] : [name];
}

function byFieldName(fields: Record<string, ExternalField>) {
  return new Map(
    Object.entries(fields).map(([name, field]) => [fieldNameOf(name), { ...field, name }]),
  );
}
