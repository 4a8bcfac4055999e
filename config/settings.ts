import { z } from "zod";
import { appSettings } from "../realtime/app_config.ts";
import { defaultLimits } from "../realtime/limits.ts";
import { countedChannels } from "./counted_channels.ts";
import { type Field, schemasOf } from "./field.ts";
import { maxFileBytes } from "./setting_file.ts";
import {
  appId,
  appKey,
  appSecret,
  flag,
  hostName,
  integer,
  listenAddress,
  networks,
  origins,
  quietPatterns,
  webAddress,
  webhookAddresses,
} from "./kinds.ts";

/** The parts of the reference, in their order. */
export const settingGroups = [
  "Address",
  "Counting",
  "Data",
  "Pusher apps",
  "Client features",
  "Limits",
  "HTTPS and proxies",
  "External Pusher server",
  "From Laravel Reverb",
  "Logs and metrics",
  "Start and stop",
] as const;

/** A setting: one environment variable. */
export interface Setting extends Field {
  group: typeof settingGroups[number];
  /** A value that shows the form, for a setting without a default that could. */
  example?: string;
  /** The name of earlier versions, which is still read. */
  formerly?: string;
  /** Its value is never printed. */
  secret?: true;
}

const appDefaults = appSettings({ id: "", key: "", secret: "" });

/** Every setting: each is said here once, for the parser and for the documents. */
export const settings = {
  APP_URL: {
    group: "Address",
    schema: webAddress.optional(),
    otherwise: "`http://localhost:PORT`, or `https` with `TLS_CERT_FILE`",
    example: "https://rollcall.example.com",
    about: "The public URL. With `https`, cookies are `Secure`. With a path, such as " +
      "`https://example.com/rollcall`, everything is below that path: pages, sockets, the HTTP " +
      "API and `/up`; see [Below a path](proxies.md#below-a-path).",
  },
  HOST: {
    group: "Address",
    schema: listenAddress.default("0.0.0.0"),
    about: "The network interface to listen on. Behind a proxy on the same machine, `127.0.0.1` " +
      "makes the proxy the only way in.",
  },
  PORT: {
    group: "Address",
    schema: integer(0, 65535).default(8000),
    about: "The port for pages, sockets and the HTTP API. 0 takes any free port and prints it.",
  },
  ADMIT_GUESTS: {
    group: "Counting",
    schema: flag.default(false),
    about: "Counts people without an account too. A cookie tells one guest from another.",
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
      "connected; when you lower the limit, members stay. Guests take no room from users: a " +
      "channel that is full of guests admits as many users again.",
  },
  PRESENCE_MAX_LOUD_MEMBERS: {
    group: "Counting",
    schema: integer(1, 1_000_000).optional(),
    default: appDefaults.presenceMaxLoudMembers,
    unit: "users",
    about:
      "Maximum members of a presence channel that are sent who joins and leaves, by the same " +
      "rules. Further ones have to be [quiet](large-rooms.md).",
  },
  QUIET_CHANNELS: {
    group: "Counting",
    schema: quietPatterns.optional(),
    otherwise: "none",
    example: "presence-site,presence-event.*",
    about: "Presence channels, separated by commas, whose members are [quiet](large-rooms.md) " +
      "unless they are signed otherwise. `*`, once in each, stands for any characters.",
  },
  COUNTED_CHANNELS: {
    group: "Counting",
    schema: countedChannels.default([]),
    otherwise: "`presence-chart`",
    example: "presence-orders 4711/presence-support",
    about: "Presence channels, separated by spaces, that have a live view, history, activity and " +
      "an alert of their own; those of another app as `APP_ID/presence-NAME`, at most 20. " +
      "`presence-chart` is always counted: " +
      "[Counting several channels](admin-guide.md#counting-several-channels).",
  },
  DATA_DIR: {
    group: "Data",
    schema: z.string().default("data"),
    about: "The folder of the embedded database and of the generated secrets, readable by its " +
      "owner only. It has to be on a local disk. Unused with `DATABASE_URL`.",
  },
  DATABASE_URL: {
    group: "Data",
    schema: z.string().refine(
      (value) => /^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? ""),
      "a postgres:// address",
    ).optional(),
    secret: true,
    example: "postgres://rollcall:password@localhost/rollcall",
    about: "A PostgreSQL database to use instead of the embedded one. " +
      "[Backup and PostgreSQL](backup.md#moving-to-postgresql) has the way there.",
  },
  APP_KEY: {
    group: "Data",
    schema: z.string().min(32, "at least 32 characters").optional(),
    secret: true,
    otherwise: "generated at the first start",
    about: "Signs cookies and CSRF tokens. The generated key is kept with the data. Another key " +
      "signs everyone out.",
  },
  ACTIVITY_DAYS: {
    group: "Data",
    formerly: "ATTENDANCE_DAYS",
    schema: integer(0, 3_650).default(30),
    unit: "days",
    about:
      "How long joins and leaves are kept for the Activity page, the newest 10,000,000 at most. " +
      "0 keeps all of them forever.",
  },
  PUSHER_APP_ID: {
    group: "Pusher apps",
    schema: appId.optional(),
    otherwise: "generated at the first start",
    about: "The ID of the app that clients connect as. It is in the URLs of the HTTP API.",
  },
  PUSHER_APP_KEY: {
    group: "Pusher apps",
    schema: appKey.optional(),
    otherwise: "generated at the first start",
    about: "The public key of that app. It is in the URLs of sockets.",
  },
  PUSHER_APP_SECRET: {
    group: "Pusher apps",
    schema: appSecret.optional(),
    secret: true,
    otherwise: "generated at the first start",
    about:
      "The secret of that app, which your server and Rollcall sign with. Secrets from public " +
      "examples are refused.",
  },
  APPS_FILE: {
    group: "Pusher apps",
    schema: z.string().optional(),
    example: "/etc/rollcall/apps.json",
    about: "A JSON file that lists several apps, each with its own limits: " +
      "[Several apps](apps.md).",
  },
  APPS: {
    group: "Pusher apps",
    schema: z.string().max(maxFileBytes, `at most ${maxFileBytes} characters`).optional(),
    secret: true,
    about: "The same JSON list in the variable itself. Give one of the two.",
  },
  WEBHOOK_URL: {
    group: "Pusher apps",
    schema: webhookAddresses.optional(),
    secret: true,
    example: "https://app.example.com/webhooks/pusher",
    about: "URLs, separated by commas, that receive the [webhooks](webhooks.md) of the app " +
      "`PUSHER_APP_ID`.",
  },
  ALERT_WEBHOOK_NETWORKS: {
    group: "Pusher apps",
    schema: networks.default([]),
    example: "10.1.2.0/24",
    about:
      "Addresses and networks, separated by commas, that are not public and that the webhook " +
      "of the [alert](webhooks.md#the-alert) may be sent to. Without it, an admin cannot make " +
      "Rollcall call machines of its own network.",
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
      "retry. A connection needs about 22 KB of memory and one open file.",
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
      "[limits by address](proxies.md#client-addresses) of sockets too.",
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
      "this time. 0 never does.",
  },
  TLS_CERT_FILE: {
    group: "HTTPS and proxies",
    schema: z.string().optional(),
    example: "/etc/rollcall/cert.pem",
    about: "A certificate chain in PEM form. With `TLS_KEY_FILE`, the server itself speaks " +
      "`https` and `wss`.",
  },
  TLS_KEY_FILE: {
    group: "HTTPS and proxies",
    schema: z.string().optional(),
    example: "/etc/rollcall/key.pem",
    about: "The certificate's private key in PEM form.",
  },
  TRUSTED_PROXIES: {
    group: "HTTPS and proxies",
    schema: networks.default([]),
    example: "127.0.0.1",
    about: "Addresses and networks, separated by commas, of the proxies whose `X-Forwarded-For` " +
      "is believed: [Behind a proxy](proxies.md#client-addresses).",
  },
  PUSHER_HOST: {
    group: "External Pusher server",
    schema: hostName.optional(),
    example: "pusher.example.com",
    about: "Another server that speaks the Pusher protocol. Rollcall's own pages connect there " +
      "instead; `PUSHER_APP_KEY` and `PUSHER_APP_SECRET` are then that server's and have to be " +
      "given. In your app's settings the same name means Rollcall: its own address is ignored here.",
  },
  PUSHER_PORT: {
    group: "External Pusher server",
    schema: integer(1, 65535).optional(),
    otherwise: "80 or 443, by `PUSHER_SCHEME`",
    about: "That server's port.",
  },
  PUSHER_SCHEME: {
    group: "External Pusher server",
    schema: z.enum(["http", "https"], "http or https").default("https"),
    about: "That server's scheme.",
  },
  PUSHER_APP_CLUSTER: {
    group: "External Pusher server",
    schema: z.string().regex(/^[a-z0-9-]{1,32}$/, "a cluster name such as eu").optional(),
    example: "eu",
    about: "A cluster of the hosted Pusher service for Rollcall's own pages to connect to. " +
      "Without `PUSHER_APP_KEY` and `PUSHER_APP_SECRET`, with the value `self` and beside Reverb's " +
      "settings it is ignored, and so is `mt1`, which Laravel's `.env` has, with a key that is not " +
      "of that service.",
  },
  REVERB_APP_ID: {
    group: "From Laravel Reverb",
    schema: appId.optional(),
    about: "Reverb's name for `PUSHER_APP_ID`. Give one of them, or both with the same value.",
  },
  REVERB_APP_KEY: {
    group: "From Laravel Reverb",
    schema: appKey.optional(),
    about: "Reverb's name for `PUSHER_APP_KEY`. Give one of them, or both with the same value.",
  },
  REVERB_APP_SECRET: {
    group: "From Laravel Reverb",
    schema: appSecret.optional(),
    secret: true,
    about: "Reverb's name for `PUSHER_APP_SECRET`. Give one of them, or both with the same value.",
  },
  REVERB_HOST: {
    group: "From Laravel Reverb",
    schema: hostName.optional(),
    example: "rollcall.example.com",
    about:
      "Where clients reach Rollcall in Reverb's place; never another server. Without `APP_URL`, " +
      "a host with a dot in its name is the public URL.",
  },
  REVERB_PORT: {
    group: "From Laravel Reverb",
    schema: integer(1, 65535).optional(),
    otherwise: "80 or 443, by `REVERB_SCHEME`",
    about:
      "The port of that address. If `REVERB_HOST` is this machine, such as `localhost`, it is " +
      "also the port to listen on, unless `PORT` or `REVERB_SERVER_PORT` is given.",
  },
  REVERB_SCHEME: {
    group: "From Laravel Reverb",
    schema: z.enum(["http", "https"], "http or https").default("https"),
    about: "The scheme of that address.",
  },
  REVERB_SERVER_HOST: {
    group: "From Laravel Reverb",
    schema: listenAddress.optional(),
    otherwise: "`HOST`",
    about: "Reverb's name for `HOST`, which is read if that is not given.",
  },
  REVERB_SERVER_PORT: {
    group: "From Laravel Reverb",
    schema: integer(0, 65535).optional(),
    otherwise: "`PORT`",
    about: "Reverb's name for `PORT`, which is read if that is not given.",
  },
  LOG_FORMAT: {
    group: "Logs and metrics",
    schema: z.enum(["text", "json"], "text or json").default("text"),
    about: "`text` for people, or `json`: one object per line.",
  },
  LOG_LEVEL: {
    group: "Logs and metrics",
    schema: z.enum(["debug", "info", "warn", "error"], "debug, info, warn or error")
      .default("info"),
    about: "The least severe level that is logged.",
  },
  METRICS_TOKEN: {
    group: "Logs and metrics",
    schema: z.string().regex(/^[\w.~+/=-]{16,}$/, "at least 16 letters, digits or ._~+/=-")
      .optional(),
    secret: true,
    about: "The bearer token that opens `/metrics`. Without it, `/metrics` answers 404.",
  },
  DRAIN_MS: {
    group: "Start and stop",
    schema: integer(0, 600_000).default(3_000),
    unit: "milliseconds",
    about: "How long a stop spreads the closing of sockets over, so that clients do not all " +
      "reconnect in the same second.",
  },
  SINGLE_INSTANCE: {
    group: "Start and stop",
    schema: flag.default(false),
    about: "Deno Deploy only: confirms that you run a single instance. Required there.",
  },
} satisfies Record<string, Setting>;

/** The name of a setting. */
export type SettingName = keyof typeof settings;

/** Every setting with its own type: what {@link settings} has, without which of them has what. */
export const settingEntries = Object.entries(settings) as [SettingName, Setting][];

/** Reads the environment. */
export const settingsSchema = z.object(schemasOf(settings));
