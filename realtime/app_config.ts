import { withDefaults } from "./defaults.ts";
import type { Webhook } from "./webhooks/webhook.ts";

/** Names an application: the id in the HTTP API, the key in socket addresses; the secret signs. */
export interface AppCredentials {
  id: string;
  key: string;
  secret: string;
}

/** What an application allows its clients. */
export interface AppRules {
  /** Whether it is served at all; clients of an app that is not get 4003. True. */
  enabled: boolean;
  /** Origins whose pages may connect, `*` for any. Clients that send no origin are no pages. Any. */
  allowedOrigins: string[];
  /** A connection that authorized for nothing in this time is closed; 0: never. 0. */
  joinTimeoutMs: number;
  /** Open connections; one more gets 4004. 0: no limit but the server's. 0. */
  maxConnections: number;
  /** Frames of a connection in a second; each one beyond is an error. 0: no limit. 500. */
  maxMessagesPerSecond: number;
  /** Members of a presence channel. Who is in stays in. 10,000. */
  presenceMaxMembers: number;
  /** `user_info` of a member, in bytes of JSON. 2,048. */
  presenceMaxInfoBytes: number;
  /** Whether clients may send events to each other. False. */
  clientEvents: boolean;
  /** Client events of a connection in a second; 0: no limit. 10. */
  clientEventsPerSecond: number;
  /** Data of an event, in bytes. 10,240. */
  maxEventBytes: number;
  /** Whether users who sign in hear of the users on their watchlists. False. */
  watchlist: boolean;
  /** Whether subscribers hear how many they are, on every channel but presence channels. False. */
  subscriptionCount: boolean;
  /** The last events of all cache channels together, in bytes. 16 MB. */
  maxCacheBytes: number;
  /** Calls of the HTTP API in a second; one more gets 403. 0: no limit. 0. */
  maxApiRequestsPerSecond: number;
  /** Who hears of what happens in its channels. Nobody. */
  webhooks: readonly Webhook[];
}

/** A Pusher application; every rule that is absent has its default. */
export interface AppConfig extends AppCredentials, Partial<AppRules> {}

/** An application with every rule. */
export interface AppSettings extends AppCredentials, AppRules {}

const defaultRules: AppRules = {
  enabled: true,
  allowedOrigins: ["*"],
  joinTimeoutMs: 0,
  maxConnections: 0,
  maxMessagesPerSecond: 500,
  presenceMaxMembers: 10_000,
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

/** Fills in the rules that an application does not state. */
export function appSettings(app: AppConfig): AppSettings {
  return withDefaults(defaultRules, app);
}
