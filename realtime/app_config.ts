/**
 * Fills in defaults. Unlike a spread, a value that is given as undefined takes its default too.
 *
 * @example
 * withDefaults({ port: 80, host: "a" }, { port: undefined }); // { port: 80, host: "a" }
 */
export function withDefaults<D extends object, G extends object>(
  defaults: D,
  given: G,
): D & Required<G> {
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(present) } as D & Required<G>;
}

/** Identifies an app: its id in the HTTP API, its key in socket addresses; the secret signs. */
export interface AppCredentials {
  id: string;
  key: string;
  secret: string;
}

/** The names of the events that a webhook can receive. */
export const webhookEventNames = [
  "channel_occupied",
  "channel_vacated",
  "member_added",
  "member_removed",
  "member_updated",
  "client_event",
  "cache_miss",
  "subscription_count",
] as const;

/** The name of an event that a webhook can receive. */
export type WebhookEventName = typeof webhookEventNames[number];

/** An address that receives the events of an app's channels. */
export interface Webhook {
  /** An `http://` or `https://` address that takes POST requests. */
  url: string;
  /** The events that it receives. Default: all that Pusher has. */
  events?: readonly WebhookEventName[];
  /** The channels whose events it receives; both have to match. Default: all. */
  filter?: { readonly startsWith?: string; readonly endsWith?: string };
  /** What joins and leaves say besides Pusher's fields. Default: nothing. */
  include?: readonly WebhookPart[];
  /** Sent with each request. Those of the request itself, and of its signature, come before them. */
  headers?: Readonly<Record<string, string>>;
}

/**
 * What a webhook can ask for: `details` are `user_info`, when a user joined, for how long it stayed and why it left;
 * `names` is what only admins see of a user.
 */
export const webhookParts = ["details", "names"] as const;

/** One of {@link webhookParts}. */
export type WebhookPart = typeof webhookParts[number];

/** Whether a webhook receives the events of a name: one that Pusher does not have only where it says so. */
export function takesEvent({ events }: Webhook, name: WebhookEventName): boolean {
  return events?.includes(name) ?? name !== "member_updated";
}

/** What an app allows its clients and callers. */
export interface AppRules {
  /** Whether the app is served; clients of a disabled app are closed with 4003. Default true. */
  enabled: boolean;
  /**
   * Origins whose pages may connect, `*` for any. A host name stands for all its origins, and one after
   * `*.` for all hosts below it; both are in lower case. A client that sends no origin is not a page and may
   * always connect. Default any.
   */
  allowedOrigins: string[];
  /**
   * Closes a connection with 4009 that has neither signed in nor joined a private or presence channel
   * within this many milliseconds; 0: never. Default 0.
   */
  joinTimeoutMs: number;
  /**
   * Open connections over all servers; further clients are closed with 4004. The connections of servers that do not
   * answer are not counted; while servers cannot reach each other, each counts its own. 0: only the
   * server's limit. Default 0.
   */
  maxConnections: number;
  /** Frames of a connection in a second; further ones get an error. 0: no limit. Default 500. */
  maxMessagesPerSecond: number;
  /**
   * Members of a presence channel, quiet or not; lowering it removes none. Users are refused only when
   * there are as many of them without the guests. Default 100,000.
   */
  presenceMaxMembers: number;
  /**
   * Members of a presence channel with a connection that is not quiet, by the same rules; for several
   * servers, see `Room.maxFullMembers`. Default 10,000.
   */
  presenceMaxFullMembers: number;
  /**
   * Names of the presence channels whose members are quiet unless they are signed with `quiet: false`; `*`,
   * at most once in each, stands for any characters. Default none.
   */
  quietChannels: readonly string[];
  /** `user_info` of a member, in bytes of JSON. Default 2,048. */
  presenceMaxInfoBytes: number;
  /** Whether clients may send events to each other. Default false. */
  clientEvents: boolean;
  /** Client events of a connection in a second; further ones get 4301. 0: no limit. Default 10. */
  clientEventsPerSecond: number;
  /** Data of an event, in bytes. Default 10,240. */
  maxEventBytes: number;
  /** Whether a user who signs in is sent the status of the users on its watchlist. Default false. */
  watchlist: boolean;
  /** Whether subscribers are sent their number, except on presence channels. Default false. */
  subscriptionCount: boolean;
  /** The last events of all cache channels together, in bytes. Default 16 MB. */
  maxCacheBytes: number;
  /** Calls of the HTTP API in a second; further ones get 403. 0: no limit. Default 0. */
  maxApiRequestsPerSecond: number;
  /** The addresses that receive the events of its channels. Default none. */
  webhooks: readonly Webhook[];
}

/**
 * The channels of an app that belong to this server's own code: no one else can sign for them, send to
 * them or see that they exist, whatever the app's own server admits.
 */
export interface ReservedChannels {
  /** With what their names begin. */
  readonly prefix: string;
  /** Signs for them in the place of the app's secret. */
  readonly secret: string;
}

/** Whether a channel is one of {@link ReservedChannels}. */
export function isReserved({ reserved }: AppConfig, channel: string): boolean {
  return reserved !== undefined && channel.startsWith(reserved.prefix);
}

/** What signs for a channel of an app. */
export function signerFor(
  app: AppConfig,
  channel: string,
): { key: string; secret: string } {
  const { key, secret, reserved } = app;
  return reserved && isReserved(app, channel) ? { key, secret: reserved.secret } : { key, secret };
}

/** An app as it is configured: a rule that is absent has its default. */
export interface AppConfig extends AppCredentials, Partial<AppRules> {
  /** Channels of this server's own code. */
  reserved?: ReservedChannels;
  /** What admins call it. */
  name?: string;
}

/** An app with a value for each rule. */
export interface AppSettings extends AppCredentials, AppRules {
  reserved?: ReservedChannels;
  name?: string;
}

const defaultRules: AppRules = {
  enabled: true,
  allowedOrigins: ["*"],
  joinTimeoutMs: 0,
  maxConnections: 0,
  maxMessagesPerSecond: 500,
  presenceMaxMembers: 100_000,
  presenceMaxFullMembers: 10_000,
  quietChannels: [],
  presenceMaxInfoBytes: 2_048,
  clientEvents: false,
  clientEventsPerSecond: 10,
  maxEventBytes: 10_240,
  watchlist: false,
  subscriptionCount: false,
  maxCacheBytes: 16_000_000,
  maxApiRequestsPerSecond: 0,
  webhooks: [],
};

/** Fills in the rules that an app does not set. */
export function appSettings(app: AppConfig): AppSettings {
  return withDefaults(defaultRules, app);
}
