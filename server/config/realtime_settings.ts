import { appSettings } from "@/realtime/app_config.ts";
import { defaultLimits } from "@/realtime/options.ts";
import { countedChannels } from "./client_options.ts";
import { flag, integer, origins, quietPatterns } from "./schemas.ts";
import type { Setting } from "./setting.ts";

const appDefaults = appSettings({ id: "", key: "", secret: "" });

/** What is counted, what clients may do, and the limits that hold for them. */
export const realtimeSettings = {
  ADMIT_GUESTS: {
    group: "Counting",
    schema: flag.default(false),
    about:
      "Also counts people without an account who visit Rollcall's own pages. A cookie tells one guest from another.",
  },
  PRESENCE_GRACE_MS: {
    group: "Counting",
    schema: integer(0, 600_000).default(1_500),
    unit: "milliseconds",
    about: "How long a user stays in the list after the last connection closes. A page change " +
      "within this time is neither a leave nor a join. 0 turns it off.",
  },
  PRESENCE_MAX_MEMBERS: {
    group: "Counting",
    schema: integer(1, 1_000_000).optional(),
    default: appDefaults.presenceMaxMembers,
    unit: "users",
    about:
      "Maximum members of a presence channel, quiet or not. Further users are refused and stay " +
      "connected; when you lower the limit, members stay. Guests never keep users out: a " +
      "channel that is full of guests admits as many users again.",
  },
  PRESENCE_MAX_FULL_MEMBERS: {
    group: "Counting",
    formerly: "PRESENCE_MAX_LOUD_MEMBERS",
    schema: integer(1, 1_000_000).optional(),
    default: appDefaults.presenceMaxFullMembers,
    unit: "users",
    about:
      "Maximum members of a presence channel that are told who joins and leaves, by the same " +
      "rules. Further ones have to be [quiet](large-rooms.md).",
  },
  QUIET_CHANNELS: {
    group: "Counting",
    schema: quietPatterns.optional(),
    otherwise: "none",
    example: "presence-site,presence-event.*",
    about: "Presence channels, separated by commas, whose members are [quiet](large-rooms.md) " +
      "unless they are signed otherwise. Each may have one `*`, for any characters.",
  },
  COUNTED_CHANNELS: {
    group: "Counting",
    schema: countedChannels.default([]),
    otherwise: "`presence-chart`",
    example: "presence-orders 4711/presence-support",
    about: "Presence channels, separated by spaces, that have a live view, history, activity and " +
      "an alert of their own; a channel of another app as `APP_ID/presence-NAME`, at most 20. " +
      "`presence-chart` is always counted: " +
      "[Counting several channels](dashboard.md#several-channels).",
  },
  ALLOWED_ORIGINS: {
    group: "Client features",
    schema: origins.optional(),
    default: appDefaults.allowedOrigins.join(),
    example: "https://app.example.com",
    about: "Origins, separated by commas, whose pages may open sockets. Other pages are closed " +
      "with code 4009 and do not retry. Clients that send no `Origin`, such as servers, may " +
      "connect.",
  },
  CLIENT_EVENTS: {
    group: "Client features",
    schema: flag.optional(),
    default: appDefaults.clientEvents,
    about: "Whether clients may send `client-` events to each other.",
  },
  SUBSCRIPTION_COUNT: {
    group: "Client features",
    schema: flag.optional(),
    default: appDefaults.subscriptionCount,
    about: "Whether subscribers receive `pusher_internal:subscription_count` when the number of " +
      "subscribers changes.",
  },
  WATCHLIST: {
    group: "Client features",
    schema: flag.optional(),
    default: appDefaults.watchlist,
    about: "Whether signed-in users are notified when users on their watchlists come online or " +
      "go offline.",
  },
  MAX_CONNECTIONS: {
    group: "Limits",
    schema: integer(1, 1_000_000).optional(),
    default: defaultLimits.maxConnections,
    unit: "connections",
    about: "Maximum open connections of all apps. Further clients are closed with code 4100 and " +
      "retry. A connection needs about 24 KB of memory and one open file. If the process may " +
      "not open enough files for that, the default is 100 less than the number that it may open. " +
      "A value that you set is kept, with a warning in the log.",
  },
  MAX_CONNECTIONS_PER_ADDRESS: {
    group: "Limits",
    schema: integer(0, 1_000_000).optional(),
    default: defaultLimits.maxConnectionsPerAddress,
    unit: "connections",
    about:
      "Maximum open connections of one IPv4 address or IPv6 /64 network. Further clients are " +
      "closed with code 4100 and retry. The default leaves room for an office behind one " +
      "address; keep it well below `MAX_CONNECTIONS`, so that one address cannot take all. " +
      "Behind a proxy, set `TRUSTED_PROXIES`: without it, all clients have the proxy's " +
      "address and share this limit. 0 is no limit, and turns off the other " +
      "[limits by address](limits.md#of-one-address) of sockets too.",
  },
  API_REQUESTS_PER_SECOND: {
    group: "Limits",
    schema: integer(0, 1_000_000).optional(),
    default: appDefaults.maxApiRequestsPerSecond,
    unit: "requests per second",
    about: "Maximum [HTTP API](http-api.md) requests of one app. Further requests get status 403 " +
      "with the reason `over_quota` and `Retry-After`. 0 is no limit.",
  },
  CLIENT_EVENTS_PER_SECOND: {
    group: "Limits",
    schema: integer(0, 10_000).optional(),
    default: appDefaults.clientEventsPerSecond,
    unit: "events per second",
    about: "Maximum `client-` events of one connection. Further events are dropped and answered " +
      "with code 4301. 0 is no limit.",
  },
  JOIN_TIMEOUT_MS: {
    group: "Limits",
    schema: integer(0, 3_600_000).optional(),
    default: appDefaults.joinTimeoutMs,
    unit: "milliseconds",
    about:
      "Closes connections that neither sign in nor join a private or presence channel within " +
      "this time. 0 turns this off.",
  },
} satisfies Record<string, Setting>;
