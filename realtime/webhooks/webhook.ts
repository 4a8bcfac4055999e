/** What a webhook can tell of. */
export const webhookEventNames = [
  "channel_occupied",
  "channel_vacated",
  "member_added",
  "member_removed",
  "client_event",
  "cache_miss",
  "subscription_count",
] as const;

/** The name of what a webhook tells of. */
export type WebhookEventName = typeof webhookEventNames[number];

/** Where an app's server wants to hear what happens in its channels. */
export interface Webhook {
  /** An `http://` or `https://` address that takes POST requests. */
  url: string;
  /** What it wants to hear of; absent: everything. */
  events?: readonly WebhookEventName[];
}

/** What a webhook is told besides what happens in the app's channels. */
export interface OwnWebhookEvent {
  name: string;
  /** The channel that it is about. */
  channel: string;
  [field: string]: string | number | boolean;
}
