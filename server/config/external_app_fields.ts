import type { documentedAppFields } from "./app_fields.ts";

/** A field of an app in the list of another server. */
export interface ExternalField {
  /** The field that has its meaning here; absent: none has. */
  ours?: keyof typeof documentedAppFields | "headers" | "filter";
  /** The value of that field; absent: the same. */
  convert?: (value: unknown) => unknown;
  /** What differs, or what there is instead: a sentence in Markdown. */
  about: string;
}

/** How long Soketi waits for a user that has to sign in, in milliseconds. */
const soketiSignInMs = 30_000;

/** Maximum size of an event's data that an app can have, in kilobytes. */
export const maxEventKilobytes = 512;

/** The fields of an app in Soketi's lists, by Soketi's names. */
export const soketiFields: Record<string, ExternalField> = {
  id: { ours: "id", about: "" },
  key: { ours: "key", about: "" },
  secret: { ours: "secret", about: "At least 16 characters; Soketi's `app-secret` is refused." },
  enabled: { ours: "enabled", about: "" },
  maxConnections: { ours: "max_connections", about: "" },
  enableClientMessages: { ours: "enable_client_messages", about: "" },
  enableUserAuthentication: {
    ours: "join_timeout_ms",
    convert: (value) => isTrue(value) ? soketiSignInMs : undefined,
    about: "`true` is 30 seconds. Users can always sign in.",
  },
  maxClientEventsPerSecond: { ours: "max_client_events_per_second", about: "" },
  maxBackendEventsPerSecond: { about: "Set `max_api_requests_per_second`." },
  maxReadRequestsPerSecond: { about: "Set `max_api_requests_per_second`." },
  maxPresenceMembersPerChannel: { ours: "max_presence_members_per_channel", about: "" },
  maxPresenceMemberSizeInKb: { ours: "max_presence_member_size_in_kb", about: "" },
  maxChannelNameLength: { about: "164 characters, as with Pusher." },
  maxEventChannelsAtOnce: { about: "100 channels." },
  maxEventNameLength: { about: "200 characters." },
  maxEventPayloadInKb: { ours: "max_event_payload_in_kb", about: "" },
  maxEventBatchSize: { about: "10 events." },
  webhooks: {
    ours: "webhooks",
    about: "Each has a `url` and `event_types`. Those with a `lambda_function` only are left out.",
  },
};

/** The fields of a webhook in Soketi's lists besides its URL and event types, by Soketi's names. */
export const soketiWebhookFields: Record<string, ExternalField> = {
  headers: { ours: "headers", about: "`Content-Type` and `X-Pusher-…` stay as they are." },
  filter: { ours: "filter", about: "" },
  lambda_function: { about: "Webhooks are sent to URLs." },
  lambda: { about: "Webhooks are sent to URLs." },
};

/** The fields of an app in `config/reverb.php`, by Reverb's names. */
export const reverbFields: Record<string, ExternalField> = {
  app_id: { ours: "id", about: "" },
  key: { ours: "key", about: "" },
  secret: { ours: "secret", about: "At least 16 characters, as Reverb's installer makes them." },
  allowed_origins: {
    ours: "allowed_origins",
    about: "Host names, also with `*.` before them, or whole origins with scheme and port.",
  },
  max_connections: { ours: "max_connections", about: "" },
  max_message_size: {
    ours: "max_event_payload_in_kb",
    convert: (value) => isNumeric(value) ? kilobytes(Number(value)) : value,
    about:
      `The data of an event, up to ${maxEventKilobytes} KB. A client's frame has 16 KB at most.`,
  },
  accept_client_events_from: {
    ours: "enable_client_messages",
    convert: (value) =>
      value === "none" ? false : ["all", "members"].includes(String(value)) || value,
    about: "`all` and `members` are `true`: only subscribers of a channel can send. Reverb " +
      "accepts them by default; Rollcall does not.",
  },
  options: { about: "Rollcall's address is [`APP_URL`](settings.md#app_url)." },
  ping_interval: { about: "Connections are pinged; a client that does not answer is closed." },
  activity_timeout: { about: "30 seconds, which clients are told." },
  rate_limiting: { about: "Set `max_messages_per_second`." },
};

/** Further spellings of fields: of databases of Soketi's apps. */
const otherSpellings: ReadonlyMap<string, string> = new Map([
  ["app_id", "id"],
  ["app_key", "key"],
  ["app_secret", "secret"],
  ["max_backend_events_per_sec", "max_backend_events_per_second"],
  ["max_client_events_per_sec", "max_client_events_per_second"],
  ["max_read_req_per_sec", "max_read_requests_per_second"],
]);

function isTrue(value: unknown): boolean {
  return [true, 1, "1", "true"].includes(value as string);
}

function isNumeric(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && /^-?\d{1,15}$/.test(value));
}

/** -1, no limit, stays as it is. */
function kilobytes(bytes: number): number {
  return bytes < 0 ? bytes : Math.min(bytes / 1_024, maxEventKilobytes);
}

/** How deep names occur in an app: in itself, in its list of webhooks, in a webhook. */
const maxDepth = 2;

/**
 * Converts the names of an app's fields to snake_case: Soketi's `maxConnections` becomes
 * `max_connections`. Fields that are null or empty, as exports have them, count as not given.
 *
 * @param value any JSON value.
 * @param onDuplicate called with the path of each name that one object has in two spellings.
 */
export function toFieldNames(
  value: unknown,
  onDuplicate: (path: PropertyKey[]) => void,
  path: PropertyKey[] = [],
): unknown {
  if (typeof value !== "object" || value === null || path.length > maxDepth) return value;
  const inner = (item: unknown, step: PropertyKey) =>
    toFieldNames(item, onDuplicate, [...path, step]);
  if (Array.isArray(value)) return value.map(inner);
  const fields = new Map<string, unknown>();
  for (const [spelling, item] of Object.entries(value)) {
    if (item === null || item === "") continue;
    const name = fieldNameOf(spelling);
    if (fields.has(name)) onDuplicate([...path, name]);
    fields.set(name, inner(item, name));
  }
  return Object.fromEntries(fields);
}

/** The name of a field in snake_case, from any spelling. */
export function fieldNameOf(spelling: string): string {
  const name = spelling.replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return otherSpellings.get(name) ?? name;
}
